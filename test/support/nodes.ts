import { onTestFinished } from 'vitest'

import { createServer, readConfig, type AgentModule, type Server } from '../../packages/dragoman/src/index.ts'
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
  readonly agents: readonly AgentModule[]
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Three nodes of one server, on one database of their own. */
export async function openNodes(optionsOf: (at: number) => NodeOptions): Promise<[Node, Node, Node]> {
  const { url, drop } = await createTestDatabase()
  const nodes: Node[] = []
  onTestFinished(async () => {
    for (const { server, storage } of nodes) {
      await server.close()
      await storage.close()
    }
    await drop()
  })
  const open = async (at: number): Promise<Node> => {
    const node = await openNode(url, optionsOf(at))
    nodes.push(node)
    return node
  }
  return [await open(0), await open(1), await open(2)]
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
