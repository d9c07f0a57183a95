import { describe, expect, it } from 'vitest'

import { createTestDatabase, hasServer } from '../../../packages/postgres/src/postgres.fixture.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { isFull } from '../../../test/support/is-full.ts'
import { run, SQLITE_BIN } from '../../../test/support/process.ts'
import { wireProvider, type WireProvider } from '../../../test/support/wire-provider.ts'
import { wireWords } from '../../../test/support/wire-words.ts'
import { SAME_SIGNAL_MS } from '../src/cli/process-lifetime.ts'

const WORDS = Array.from({ length: 40 }, (_, at) => `word${at} `)

/** An answer of some four seconds. */
function slowAnswer() {
  const chat = wireWords.find(({ api }) => api === 'chat')
  if (!chat) throw new Error('There are no words of chat completions.')
  return { body: [...chat.begin, ...WORDS.flatMap((word) => chat.text(word)), ...chat.end], pauseMs: 100 }
}

type Process = ReturnType<typeof run>

function start(provider: WireProvider, home: string, env: Record<string, string>): Process {
  const args = ['--port', '0', '--home', home]
  const variables = {
    PATH: process.env['PATH'] ?? '',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: `${provider.url}/v1`,
    OPENAI_MODEL: 'gpt-x',
    ...env,
  }
  return run(args, variables, ':', SQLITE_BIN)
}

async function ask(url: string): Promise<Response> {
  const response = await fetch(`${url}/assistant/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Count.' }),
  })
  return response
}

/** Reads a stream until it has this, and gives the rest of it. */
async function readUntil(response: Response, words: string): Promise<() => Promise<string>> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += part.value
    if (text.includes(words)) break
  }
  return async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
    return text
  }
}

type Entry = { type: string; because?: string; attempt?: number; delta?: string }

/** The log of a run, once it has ended. */
async function logOf(url: string, runId: string): Promise<readonly Entry[]> {
  const text = await (await fetch(`${url}/v1/runs/${runId}/events`)).text()
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as Entry] : []))
}

const runOf = (response: Response): string => String(response.headers.get('x-run-id'))
const textOf = (log: readonly Entry[]): string =>
  log.flatMap(({ type, delta = '' }) => (type === 'text.delta' ? [delta] : [])).join('')

/** The status of `/ready`, asked until it is this one. */
async function untilReadyIs(url: string, status: number): Promise<void> {
  while ((await fetch(`${url}/ready`)).status !== status);
}

describe.runIf(hasServer && isFull)('a node of two that gets SIGTERM', () => {
  const openTwo = async (drainSeconds: string) => {
    const database = await createTestDatabase()
    const provider = await wireProvider()
    const env = { DATABASE_URL: database.url, DRAGOMAN_DRAIN_SECONDS: drainSeconds }
    const nodes = [
      start(provider, await createTempDir(), env),
      start(provider, await createTempDir(), env),
    ] as const
    const close = async (): Promise<void> => {
      for (const node of nodes) node.kill()
      await Promise.all(nodes.map(({ ended }) => ended))
      await provider[Symbol.asyncDispose]()
      await database.drop()
    }
    const [a, b] = await Promise.all(nodes.map(({ ready }) => ready))
    return { provider, nodes, a: String(a), b: String(b), [Symbol.asyncDispose]: close }
  }

  it('ends its answers: the model is asked once, and new runs go to the other', async () => {
    await using two = await openTwo('60')
    two.provider.play(slowAnswer(), slowAnswer())
    const answer = await ask(two.a)
    const rest = await readUntil(answer, 'word3 ')

    two.nodes[0].signal('SIGTERM')
    await untilReadyIs(two.a, 503)
    const another = await ask(two.a)

    expect(another.status).toBe(200)
    const readAnother = await readUntil(another, 'word3 ')
    const log = await logOf(two.b, runOf(answer))
    expect(textOf(log)).toBe(WORDS.join(''))
    expect(log.filter(({ type }) => type === 'run.resumed')).toEqual([])
    expect(await rest()).toContain('word39 ')
    expect(await two.nodes[0].ended).toMatchObject({ code: 0 })
    expect(textOf(await logOf(two.b, runOf(another)))).toBe(WORDS.join(''))
    expect(two.provider.requests).toHaveLength(2)
    await readAnother().catch(() => undefined)
  })

  it('hands over what does not end in time, which is no crash and no attempt', async () => {
    await using two = await openTwo('1')
    two.provider.play(slowAnswer(), slowAnswer())
    const answer = await ask(two.a)
    await readUntil(answer, 'word3 ')

    const ended = two.nodes[0].stop()
    const log = await logOf(two.b, runOf(answer))

    expect(await ended).toMatchObject({ code: 0 })
    expect(log.filter(({ type }) => type === 'run.resumed')).toMatchObject([
      { because: 'shutdown', attempt: 0 },
    ])
    expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
    expect(two.provider.requests).toHaveLength(2)
  })
})

describe('a single node that gets SIGTERM', () => {
  it('ends its answers, serves readers, and refuses new runs until another process is there', async () => {
    await using provider = await wireProvider()
    const node = start(provider, await createTempDir(), { DRAGOMAN_DRAIN_SECONDS: '60' })
    try {
      const url = await node.ready
      provider.play(slowAnswer())
      const answer = await ask(url)
      const rest = await readUntil(answer, 'word3 ')

      // As npm passes on a signal that a terminal has sent to both.
      for (const signal of ['SIGTERM', 'SIGTERM'] as const) node.signal(signal)
      await untilReadyIs(url, 503)
      const refused = await ask(url)

      expect(refused.status).toBe(503)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await refused.text()).toContain('shutting down')
      expect(textOf(await logOf(url, runOf(answer)))).toBe(WORDS.join(''))
      expect(await rest()).toContain('word39 ')
      expect(await node.ended).toMatchObject({ code: 0 })
      expect(provider.requests).toHaveLength(1)
    } finally {
      node.kill()
    }
  })

  it.runIf(isFull).each(['SIGTERM', 'SIGINT'] as const)(
    'hands its answers over at once at a second %s',
    async (signal) => {
      await using provider = await wireProvider()
      const home = await createTempDir()
      const node = start(provider, home, { DRAGOMAN_DRAIN_SECONDS: '3600' })
      const { ready } = node
      try {
        provider.play(slowAnswer(), slowAnswer())
        const answer = await ask(await ready)
        await readUntil(answer, 'word3 ')
        node.signal('SIGTERM')
        const firstAt = performance.now()
        await untilReadyIs(await ready, 503)
        await expect.poll(() => performance.now() - firstAt).toBeGreaterThan(SAME_SIGNAL_MS)

        node.signal(signal)

        expect(await node.ended).toMatchObject({ code: 0 })
        const next = start(provider, home, {})
        try {
          const log = await logOf(await next.ready, runOf(answer))
          expect(log.filter(({ type }) => type === 'run.resumed')).toMatchObject([
            { because: 'shutdown', attempt: 0 },
          ])
          expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
        } finally {
          next.kill()
        }
      } finally {
        node.kill()
      }
    },
  )
})
