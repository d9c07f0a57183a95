import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Hono } from 'hono'

import {
  openDragoman,
  readConfig,
  ServiceError,
  type Agent,
  type AgentEngine,
  type Models,
} from '../src/index.ts'
import { speaker, speech } from './speech.ts'

/** The product with an agent that just speaks, in a home of its own. */

const failure = (cause: unknown): ServiceError =>
  new ServiceError('model-failed', 'The model failed.', { cause })
const models: Models = {
  choose: () => ({ name: 'bench:speech', why: 'It is the bench.', load: async () => speaker, failure }),
}

/** No model library at all: what is left is the log, its encoding and its sending. */
const spine: AgentEngine = {
  name: 'spine',
  async run(_job, host) {
    await host.emit({ type: 'step.started', model: 'bench:speech' })
    await host.emit({ type: 'text.started', partId: 't' })
    for await (const delta of speech()) await host.emit({ type: 'text.delta', partId: 't', delta })
    await host.emit({ type: 'text.ended', partId: 't' })
    const usage = { inputTokens: 10, outputTokens: 1000 }
    await host.emit({ type: 'step.finished', reason: 'stop', usage })
  },
}

const speakerAgent = (engine: string): Agent => ({
  id: 'bench',
  name: 'Bench',
  description: 'It speaks.',
  instructions: 'Speak.',
  engine,
  model: { primary: 'sonnet', fallback: 'haiku' },
  maxSteps: 1,
  contextLines: () => [],
})

/** `end` gives the bytes that the database has on the disk once everything is folded into it. */
export async function house(engine: string): Promise<{ url: string; end(): Promise<number> }> {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-bench-'))
  const config = readConfig(['--port', '0', '--home', home, '--log-level', 'error'], process.env)
  const dragoman = await openDragoman(config, {
    models,
    engines: [spine],
    capabilities: () => [{ agent: speakerAgent(engine), tools: [], routes: new Hono() }],
  })
  return {
    url: await dragoman.listen(),
    async end() {
      await dragoman.close()
      const size = await sizeOf(home)
      await rm(home, { recursive: true })
      return size
    },
  }
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
