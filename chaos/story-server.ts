import { join } from 'node:path'

import { createServer, readConfig, type Agent, type AgentFactory } from '../packages/dragoman/src/index.ts'
import { isServiceError } from '../packages/dragoman/src/errors.ts'
import { createProcessLog } from '../packages/dragoman/src/observability/index.ts'
import { lifetime } from '../apps/server/src/cli/process-lifetime.ts'
import { bundledParts } from '../apps/server/src/main.ts'
import { openStorage } from '../apps/server/src/open-storage.ts'
import { bundledProtocols } from '../apps/server/test/support/bundled-protocols.ts'
import { newerColumns } from '../test/support/newer-version.ts'
import { AGENTS } from './story.ts'
import { models } from './story-model.ts'
import { EFFECTS_FILE, storyTools } from './story-tools.ts'

/** The product with two agents that tell stories, one per engine. Its flags configure it. */

/** A node's report on itself. */
export type Vitals = { readonly rss: number; readonly heap: number; readonly handles: number }

const config = readConfig(process.argv.slice(2), process.env)
const tools = storyTools(join(config.home, EFFECTS_FILE))

const agent = (engine: string): Agent => ({
  id: engine,
  name: engine,
  description: 'It tells stories.',
  instructions: 'Tell the story.',
  engine,
  model: { primary: 'sonnet', fallback: 'haiku' },
  maxSteps: 20,
  tools,
})

/** A newer version has one more agent, and adds columns to tables that every node uses. */
const laterAgent: AgentFactory = {
  id: 'later',
  migrations: newerColumns,
  create: () => ({ agent: { ...agent(AGENTS[0]), id: 'later' } }),
}
const isNewer = process.env['CHAOS_VERSION'] === 'newer'
const agents = [...AGENTS.map(agent), ...(isNewer ? [laterAgent] : [])]
// The parent process is gone: nothing else would end this one.
process.once('disconnect', () => process.exit())
if (!process.connected) process.exit()
const log = createProcessLog(config.logLevel)
const { ended } = lifetime(log)
try {
  const storage = await openStorage(config)
  const parts = { ...bundledParts, ...storage, protocols: bundledProtocols }
  const dragoman = await createServer({ ...parts, agents, config, models })
  const close = async (): Promise<void> => {
    await dragoman.close()
    await storage?.close()
    process.disconnect()
  }
  void ended.then((end) => {
    process.exitCode = end === 'signal' ? 0 : 1
    return close()
  })
  process.on('message', () => process.send?.(vitals()))
  process.send?.({ url: await dragoman.listen() })
} catch (error) {
  if (!isServiceError(error)) throw error
  log.refusal(error)
  process.exit(1)
}

function vitals(): Vitals {
  global.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heap: heapUsed, handles: process.getActiveResourcesInfo().length }
}
