import {
  createServer as openServer,
  defineAgent,
  defineTool,
  readConfig,
} from '../../packages/dragoman/src/index.ts'
import type {
  AgentEngine,
  Models,
  RunObserver,
  Server,
  ServerOptions,
} from '../../packages/dragoman/src/index.ts'
import { agUi } from '../../packages/ag-ui/src/index.ts'
import { dataLines, type StreamReader } from '../../packages/client/src/index.ts'
import { scriptedModel, testServer, toolCall } from '../../packages/dragoman/src/testing/index.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { z } from 'zod'

/** What the examples of docstrings take for granted. */

export const home = await mkdtemp(join(tmpdir(), 'dragoman-examples-'))
const opened: { close(): Promise<void> }[] = []

/** On any port, in a home of its own. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const own = await mkdtemp(join(home, 'server-'))
  const read = readConfig(['--home', own, '--port', '0', '--log-level', 'silent'], {})
  const server = await openServer({
    ...options,
    config: options.config ? { ...read, ...options.config, home: own, logLevel: 'silent' } : read,
  })
  opened.push(server)
  return server
}

export const roll = defineTool({
  name: 'roll',
  description: 'Rolls one die.',
  inputSchema: z.object({ sides: z.int() }),
  execute: () => 4,
})
export const model = scriptedModel(
  Array.from(
    { length: 100 },
    () =>
      ({ prompt }) =>
        prompt.at(-1)?.role === 'tool' ? 'You rolled a 4.' : [toolCall('roll', { sides: 6 })],
  ),
)
export const dice = defineAgent({ id: 'dice', instructions: 'Roll dice.', tools: [roll], model })
export const server = await testServer({ agents: [dice] })
export const answer = await server.send('dice', 'Roll a die.')

const followed = await createServer({ agents: [dice], plugins: [agUi()] })
export const url = await followed.listen({ port: 0 })
const response = await fetch(`${url}/dice/chat`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"message":"Roll a die."}',
})
await response.text()
export const runId = response.headers.get('x-run-id') ?? ''
export const { signal } = new AbortController()

export const restaurant = { book: async (...asked: readonly unknown[]) => asked.length }
export const catalog = { search: async (words: string) => ({ hits: [words], total: 1 }) }
export const readSession = (cookie: string | undefined) => ({ userId: cookie ?? 'ada' })
export const mcpClient = { tools: async () => ({}) }
export const myEngine = (models: Models): AgentEngine => ({
  name: models.choose({}).name,
  run: async () => undefined,
})
export const observer: RunObserver = {
  onStart: () => undefined,
  onActivity: () => undefined,
  onAppend: () => undefined,
  close: async () => undefined,
}

/** A format in which each event is one word. */
export const words: StreamReader<string> = {
  protocol: 'native',
  boundary: '\n\n',
  type: 'text/event-stream',
  cursor: () => undefined,
  take: (text) => dataLines(text),
  isEnded: () => true,
}

export async function closeAll(): Promise<void> {
  for (const each of [...opened, server]) await each.close()
  await rm(home, { recursive: true, force: true })
}
