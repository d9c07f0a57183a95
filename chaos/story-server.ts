import { join } from 'node:path'

import { createServer, readConfig, type Agent } from '../packages/dragoman/src/index.ts'
import { bundledParts } from '../apps/server/src/main.ts'
import { bundledProtocols } from '../apps/server/test/support/bundled-protocols.ts'
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

const agents = AGENTS.map(agent)
const dragoman = await createServer({ ...bundledParts, agents, config, models, protocols: bundledProtocols })
process.once('SIGTERM', () => void dragoman.close().then(() => process.disconnect()))
// The parent process is gone: nothing else would end this one.
process.once('disconnect', () => process.exit())
if (!process.connected) process.exit()
process.on('message', () => process.send?.(vitals()))
process.send?.({ url: await dragoman.listen() })

function vitals(): Vitals {
  global.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heap: heapUsed, handles: process.getActiveResourcesInfo().length }
}
