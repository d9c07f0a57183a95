import { agUi } from '@dragoman/ag-ui'
import { assistant } from '@dragoman/assistant'
import { coding } from '@dragoman/coding'
import { consoleFolder } from '@dragoman/console'
import { jobs } from '@dragoman/jobs'
import { life } from '@dragoman/life'
import { workflows } from '@dragoman/workflows'
import { readConfig, type Config } from 'dragoman/config'
import { createServer, type Server, type ServerOptions } from 'dragoman/server'
import { piEngine } from '@dragoman/pi'
import type { AgentFactory } from 'dragoman/modules'
import { socketIo } from '@dragoman/socket-io'
import { telemetry } from '@dragoman/telemetry'
import { openStorage } from './open-storage.ts'

export type { Server } from 'dragoman/server'

/** The agents that come with the server. This is the only place that names agents. */
export const bundledAgents: readonly AgentFactory[] = [jobs, coding, assistant, life, workflows]

const webConsole = { name: 'console', page: consoleFolder }

/** The packages that the server adds to the core, besides the agents. */
export const bundledParts = { engines: [piEngine()], plugins: [agUi(), socketIo(), telemetry(), webConsole] }

/** Opens the server with all that is bundled, as the command `dragoman` does. `parts` replace its own. */
export async function openServer(
  args: readonly string[],
  env: Config['env'],
  parts: Omit<ServerOptions, 'agents' | 'config'> = {},
): Promise<Server> {
  return openConfiguredServer(readConfig(args, env, bundledAgents), parts)
}

/** The same with settings that have been read. */
export async function openConfiguredServer(
  config: Config,
  parts: Omit<ServerOptions, 'agents' | 'config'> = {},
): Promise<Server> {
  const storage = parts.store ? undefined : await openStorage(config)
  try {
    const options = { ...bundledParts, ...storage, ...parts, agents: bundledAgents, config }
    const server = await createServer(options)
    const close = async (): Promise<void> => {
      await server.close()
      await storage?.close()
    }
    return { ...server, close }
  } catch (error) {
    await storage?.close()
    throw error
  }
}
