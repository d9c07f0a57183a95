import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readConfig } from '../config/index.ts'
import { openDatabase } from '../database/index.ts'
import { createServer, type ServerOptions } from '../server/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { send, type SendOptions, type TestAnswer } from './send.ts'

/**
 * The parts of a test server.
 *
 * @example
 * await testServer({ agents: [dice], env: { OLLAMA_BASE_URL: 'http://127.0.0.1:11434' } })
 */
export type TestServerOptions = Pick<
  ServerOptions,
  'agents' | 'engines' | 'models' | 'plugins' | 'protocols'
> & {
  /** The environment variables. Without a key in them, no provider is called. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * A server for tests. It opens no port, and stores its data in memory.
 *
 * @example
 * const server: TestServer = await testServer({ agents: [dice] })
 * const response = await server.fetch('/dice/agent/status')
 * await server.close()
 */
export interface TestServer extends AsyncDisposable {
  /** Answers a request as the server would. A path such as `/dice/agent/status` is sufficient. */
  fetch(request: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Sends a message to an agent, and resolves when its run has ended, or waits for an answer. @throws Error if
   * the server refuses the message, and for a call of a tool that the run does not have
   */
  send(agent: string, message: string, options?: SendOptions): Promise<TestAnswer>
  close(): Promise<void>
}

/**
 * Opens a server with agents of your own, to test them without a port and without a key.
 *
 * @example
 * const model = scriptedModel([toolCall('roll', { sides: 6 }), 'You rolled a 4.'])
 * await using server = await testServer({ agents: [{ ...dice, model }] })
 *
 * const answer = await server.send('dice', 'Roll a die.')
 *
 * expect(answer.text).toBe('You rolled a 4.')
 * expect(answer.toolCalls).toMatchObject([{ toolName: 'roll', input: { sides: 6 }, output: 4 }])
 */
export async function testServer({ agents, env = {}, ...parts }: TestServerOptions): Promise<TestServer> {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  const flags = ['--home', home, '--log-level', 'silent', '--rate-limit', '0']
  const remove = (): Promise<void> => rm(home, { recursive: true, force: true })
  const factories = agents.filter((agent) => 'create' in agent)
  const config = { ...readConfig(flags, env, factories), offlinePace: 0 }
  const database = openDatabase(':memory:')
  const stores = { store: memoryStore(), notifier: memoryNotifier(), database }
  const opening = createServer({ ...stores, ...parts, agents, config })
  const dragoman = await opening.catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const answer: TestServer['fetch'] = (request, init) =>
    dragoman.fetch(
      new Request(request instanceof Request ? request : new URL(request, 'http://127.0.0.1'), init),
    )
  const close = async (): Promise<void> => {
    await dragoman.close()
    await database.destroy()
    await remove()
  }
  return {
    fetch: answer,
    send: (agent, message, options) => send(answer, { ...options, agent, message }),
    close,
    [Symbol.asyncDispose]: close,
  }
}
