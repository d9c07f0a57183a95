import { onTestFinished } from 'vitest'

import {
  createServer,
  readConfig,
  type AgentFactory,
  type AgentModule,
  type Server,
} from '../../packages/dragoman/src/index.ts'
import { openPostgres, type PostgresStorage } from '../../packages/postgres/src/index.ts'
import { createTestDatabase } from '../../packages/postgres/src/postgres.fixture.ts'
import { createTempDir } from './create-temp-dir.ts'
import { reading, type Reading } from './event-stream.ts'

export type Node = {
  readonly server: Server
  readonly storage: PostgresStorage
  /** Sends JSON as a user. */
  readonly send: (
    request: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>
  /** Follows a run in the native format. */
  readonly follow: (runId: string) => Promise<Reading>
}

export type NodeOptions = {
  readonly agents: readonly (AgentModule | AgentFactory)[]
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Three nodes of one server, on one database of their own. */
export async function openNodes(optionsOf: (at: number) => NodeOptions): Promise<[Node, Node, Node]> {
  const open = await openCluster()
  return [await open(optionsOf(0)), await open(optionsOf(1)), await open(optionsOf(2))]
}

/** A server without nodes yet, on a database of its own. Opens a node of it. */
export async function openCluster(): Promise<(options: NodeOptions) => Promise<Node>> {
  const { url, drop } = await createTestDatabase()
  const nodes: Node[] = []
  onTestFinished(async () => {
    for (const { server, storage } of nodes) {
      await server.close()
      await storage.close()
    }
    await drop()
  })
  return async (options) => {
    const node = await openNode(url, options)
    nodes.push(node)
    return node
  }
}

async function openNode(url: string, { agents, flags = [], env = {} }: NodeOptions): Promise<Node> {
  const home = await createTempDir()
  const config = readConfig(['--home', home, '--log-level', 'silent', ...flags], env)
  const storage = await openPostgres(url)
  const server = await createServer({ ...storage, agents, config })
  const send: Node['send'] = (request, body, headers = {}) => {
    const [method = 'GET', path = '/'] = request.split(' ')
    return server.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  }
  return {
    server,
    storage,
    send,
    follow: async (runId) => reading(await send(`GET /v1/runs/${runId}/events?ids=1`)),
  }
}
