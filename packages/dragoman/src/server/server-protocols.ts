import type { Config } from '../config/config.ts'
import { dataStream, native, uiMessageStream, uiMessageStreamOf } from '../protocols/index.ts'
import type { ServerPlugin } from './server-plugin.ts'
import type { ServerProtocol } from './surfaces/index.ts'

/** The wire formats of the server itself. */
const coreProtocols: readonly ServerProtocol[] = [uiMessageStream, dataStream, native]

/** Of protocols with one name, the last counts: `createServer`, plug-ins and agents can replace the server's. */
export function listProtocols(
  { aiSdk }: Config,
  parts: readonly Pick<ServerPlugin, 'protocols'>[],
): readonly ServerProtocol[] {
  const own = aiSdk === undefined ? [] : [uiMessageStreamOf(aiSdk)]
  return [...coreProtocols, ...own, ...parts.flatMap(({ protocols = [] }) => protocols)]
}

/** The first parts of the paths of protocols, which no agent can have as its id. */
export function protocolPaths(protocols: readonly ServerProtocol[]): string[] {
  return protocols.flatMap(({ routes = [] }) => routes.map(({ path }) => path.split('/')[1] ?? ''))
}
