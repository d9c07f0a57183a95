import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Hono } from 'hono'

import {
  openDragoman,
  readConfig,
  type Agent,
  type Door,
  type Dragoman,
  type Models,
  type ServerTool,
} from '../../src/index.ts'

export type ServerOptions = {
  readonly models: Models
  readonly tools?: readonly ServerTool[]
  readonly agent?: Partial<Agent>
  /** Whose it is keeps it; without one there is a new folder, which goes with the server. */
  readonly home?: string
}

export type TestServer = AsyncDisposable & {
  readonly url: string
  readonly home: string
  /** Answers without the network. */
  readonly fetch: Dragoman['fetch']
}

/** The real server on a free port, with one agent: its chat is at `/jobs/chat`. */
export async function openServer({ models, tools = [], agent, home }: ServerOptions): Promise<TestServer> {
  const folder = home ?? (await mkdtemp(join(tmpdir(), 'dragoman-test-')))
  const config = readConfig(['--port', '0', '--home', folder, '--log-level', 'silent'], {})
  const capability = { agent: { ...testAgent, ...agent }, tools, routes: new Hono<Door>() }
  const dragoman = await openDragoman(config, { models, capabilities: () => [capability] })
  return {
    url: await dragoman.listen(),
    home: folder,
    fetch: dragoman.fetch,
    async [Symbol.asyncDispose]() {
      await dragoman.close()
      if (home === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

const testAgent: Agent = {
  id: 'jobs',
  name: 'Test Agent',
  description: 'Does what its script says',
  instructions: 'You follow a script.',
  engine: 'ai-sdk',
  model: { primary: 'scripted', fallback: 'scripted' },
  maxSteps: 10,
  contextLines: () => [],
}
