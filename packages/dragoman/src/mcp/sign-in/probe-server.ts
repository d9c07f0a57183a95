import { ServiceError } from '../../errors.ts'
import type { Fetch } from '../bounded-fetch.ts'
import { createErrorOutput } from '../error-output.ts'
import { listTools } from '../list-tools.ts'
import { openClient, type Environment } from '../open-client.ts'
import type { HttpServer } from '../server-config.ts'
import { errorReason, errorStatus } from '../server-errors.ts'
import type { Challenge } from './grant.ts'

const PROBE_TIMEOUT_MS = 15_000

/** What the server says when it refuses a request without a token. @throws ServiceError `unavailable` */
export async function probeServer(server: HttpServer, env: Environment): Promise<Challenge> {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
  let challenge: Challenge = {}
  const note =
    (send: Fetch): Fetch =>
    async (url, init) => {
      const response = await send(url, init)
      if (response.status !== 401) return response
      const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
      challenge = {
        ...(scope !== undefined && { scope }),
        ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
      }
      return response
    }
  const nothing = (): void => undefined
  try {
    const open = await openClient(server, {
      headers: {},
      env,
      authorize: note,
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      onClosed: nothing,
      onToolsChanged: nothing,
      onUnwatched: nothing,
      output: createErrorOutput([]),
      elicit: async () => ({ action: 'cancel' }),
    })
    // Some servers refuse no one before their tools are listed.
    try {
      await listTools(open.client)
    } finally {
      await open.close()
    }
  } catch (cause) {
    if (errorStatus(cause) === 401) return challenge
    throw new ServiceError('unavailable', `${server.name}: ${errorReason(cause)}.`, { cause })
  }
  return challenge
}
