import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach } from 'vitest'

import type { AgentFactory, Json } from '../../../../packages/dragoman/src/index.ts'
import { dropHomeDatabase } from '../../../../test/support/home-storage.ts'
import { client } from '../../../../test/support/http.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { bearer } from '../../../../test/support/users.ts'
import { wireProvider, type WireProvider } from '../../../../test/support/wire-provider.ts'
import { wireWords, type WireWords } from '../../../../test/support/wire-words.ts'
import { bundledAgents } from '../../src/main.ts'

const USERS = ['ada', 'ben']
const MAX_ANSWERS = 50

function wordsOfClaude(): WireWords {
  const claude = wireWords.find(({ api }) => api === 'anthropic')
  if (!claude) throw new Error('There are no words of Claude.')
  return claude
}

/** A server whose owner pays for Claude, for the tests of a `describe` block. Claude says hello. */
export function useClaude(agents: readonly AgentFactory[], configFile?: Json) {
  let [wire, server, home]: [WireProvider?, TestServer?, string?] = []
  const { begin, text, end, thoughtAndCall } = wordsOfClaude()
  const hello = { body: [...begin, ...text('Hello'), ...end] }
  const tokens = new Map<string, Record<string, string>>()
  const open = async (users: readonly string[], file?: Json): Promise<void> => {
    server = await openServer({
      agents: [...bundledAgents, ...agents],
      users,
      home: String(home),
      env: { ANTHROPIC_API_KEY: 'owners-key-1', ANTHROPIC_BASE_URL: String(wire?.url) },
      flags: ['--root', String(home)],
      ...(file !== undefined && { configFile: file }),
    })
    for (const user of users) tokens.set(user, bearer(server.token(user)))
  }
  const play = (...first: (readonly string[])[]): void =>
    wire?.play(...first.map((body) => ({ body })), ...Array.from({ length: MAX_ANSWERS }, () => hello))
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    wire = await wireProvider()
    await open(USERS, configFile)
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await wire?.[Symbol.asyncDispose]()
    await rm(String(home), { recursive: true, force: true })
    await dropHomeDatabase(String(home))
  })
  beforeEach(() => play())
  /** A caller without a token is the owner. */
  const headers = (user: string): Record<string, string> => tokens.get(user) ?? {}
  const send = async (user: string, method: string, path: string, body?: Json) => {
    if (!server) throw new Error('The server opens before the first test.')
    const response = await client(server).send(method, path, body, headers(user))
    return { status: response.status, text: await response.text() }
  }
  return {
    url: () => String(server?.url),
    home: () => String(home),
    headers,
    send,
    /** Creates a thread, and returns its address. */
    async thread(user: string, agent: string): Promise<string> {
      const opened = await send(user, 'POST', '/v1/threads', { agent })
      return `/v1/threads/${(JSON.parse(opened.text) as { id: string }).id}`
    },
    /** Forgets what Claude was asked. Claude says these first. */
    play,
    /** A thought, and a call of the tool `look`. */
    call: thoughtAndCall,
    /** The models that Claude was asked for. */
    models: () => (wire?.requests ?? []).map(({ body }) => (JSON.parse(body) as { model: string }).model),
    async reopen(file: Json) {
      await server?.[Symbol.asyncDispose]()
      await open([], file)
    },
  }
}
