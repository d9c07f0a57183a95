import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Hono } from 'hono'

import {
  openDragoman,
  readConfig,
  type Agent,
  type Capability,
  type Door,
  type Dragoman,
  type Models,
  type ServerTool,
} from '../../src/index.ts'
import { newToken } from './users.ts'

export type ServerOptions = {
  readonly models: Models
  readonly tools?: readonly ServerTool[]
  readonly agent?: Partial<Agent>
  /** What else the test's own capability does. */
  readonly capability?: Partial<Capability>
  /** The agents that we have, instead of one of the test's own. */
  readonly real?: true
  /** Further words of its command line, and variables. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Users for whom there is a token when it begins. */
  readonly users?: readonly string[]
  /** Whose it is keeps it; without one there is a new folder, which goes with the server. */
  readonly home?: string
}

export type TestServer = AsyncDisposable & {
  readonly url: string
  readonly home: string
  /** The token of one of its `users`. */
  readonly token: (user: string) => string
  /** Answers without the network. */
  readonly fetch: Dragoman['fetch']
}

/** The real server on a free port, with one agent: its chat is at `/jobs/chat`. */
export async function openServer(options: ServerOptions): Promise<TestServer> {
  const {
    models,
    tools = [],
    agent,
    capability: more,
    home,
    real,
    flags = [],
    env = {},
    users = [],
  } = options
  const folder = home ?? (await mkdtemp(join(tmpdir(), 'dragoman-test-')))
  const secrets = new Map<string, string>()
  for (const user of users) secrets.set(user, await newToken(folder, user))
  const config = readConfig(['--port', '0', '--home', folder, '--log-level', 'silent', ...flags], env)
  const capability = { agent: { ...testAgent, ...agent }, tools, routes: new Hono<Door>(), ...more }
  const dragoman = await openDragoman(
    config,
    real ? { models } : { models, capabilities: () => [capability] },
  )
  const close = async (): Promise<void> => {
    await dragoman.close()
    if (home === undefined) await rm(folder, { recursive: true, force: true })
  }
  const url = await dragoman.listen().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    url,
    home: folder,
    token: (user) => secrets.get(user) ?? '',
    fetch: dragoman.fetch,
    [Symbol.asyncDispose]: close,
  }
}

const testAgent: Agent = {
  id: 'jobs',
  name: 'Test Agent',
  description: 'Does what its script says',
  instructions: 'You follow a script.',
  engine: 'pi',
  model: { primary: 'scripted', fallback: 'scripted' },
  maxSteps: 10,
  contextLines: () => [],
}
