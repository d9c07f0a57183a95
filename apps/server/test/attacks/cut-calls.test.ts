import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { dropHomeDatabase } from '../../../../test/support/home-storage.ts'
import { chatRequest } from '../../../../test/support/http.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { runAgent, socketClient } from '../../../../test/support/socket-client.ts'
import { bearer } from '../../../../test/support/users.ts'
import { wireProvider, type WireProvider } from '../../../../test/support/wire-provider.ts'
import { wireWords } from '../../../../test/support/wire-words.ts'
import { bundledAgents } from '../../src/main.ts'
import { probeAgent } from '../support/probe-agent.ts'

/** 12,000 characters: 3,000 tokens. */
const LONG = 'word '.repeat(2400)
const claude = wireWords.find(({ api }) => api === 'anthropic')
/** The provider takes the request, and says nothing. */
const silence = { body: [], after: 'silence' } as const
const answer = { body: [...(claude?.begin ?? []), ...(claude?.text('Hello') ?? []), ...(claude?.end ?? [])] }
const look = { body: claude?.thoughtAndCall ?? [] }

let provider: WireProvider
let server: TestServer
let user = ''
let users = 0
beforeAll(async () => {
  provider = await wireProvider()
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  server = await openServer({
    agents: [...bundledAgents, probeAgent],
    users: Array.from({ length: 20 }, (_none, n) => `user${n}`),
    home,
    isOnDisk: false,
    flags: ['--root', home],
    env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: provider.url },
    configFile: { quotas: { rules: [{ period: 'daily', runs: 50, tokens: 1_000_000 }] } },
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
  await rm(server.home, { recursive: true, force: true })
  await dropHomeDatabase(server.home)
})
beforeEach(() => {
  user = `user${users++}`
  provider.play(silence, silence)
})

/** A request, which `cut` breaks off. */
function begin(method: string, path: string, body?: Json) {
  const control = new AbortController()
  const answering = async () => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...bearer(server.token(user)), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: control.signal,
    })
    return { runId: response.headers.get('x-run-id'), text: await response.text() }
  }
  const answered = answering().catch(() => undefined)
  return { answered, cut: () => control.abort() }
}
const send = async (method: string, path: string, body?: Json) => {
  const { text = '' } = (await begin(method, path, body).answered) ?? {}
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, Json>) : { text }
}
const requests = (count: number) => expect.poll(() => provider.requests.length, { interval: 5 }).toBe(count)
const thread = async (agent = 'assistant') =>
  `/v1/threads/${(await send('POST', '/v1/threads', { agent }))['id'] as string}`
const usage = async () => (await send('GET', '/v1/usage'))['total'] as Record<string, number>
const quota = async () => (await send('GET', '/v1/quota'))['limits'] as { used: number }[]

describe('a user who breaks a run off before its first word', () => {
  const message = LONG
  it.each<[string, () => Promise<void>]>([
    [
      'by a stop',
      async () => {
        const at = await thread()
        const run = begin('POST', `${at}/runs`, { message })
        await requests(1)
        await send('POST', `${at}/stop`)
        await run.answered
      },
    ],
    [
      'by another message',
      async () => {
        provider.play(silence, answer)
        const at = await thread()
        const run = begin('POST', `${at}/runs`, { message })
        await requests(1)
        await send('POST', `${at}/runs`, { message: 'again', policy: 'interrupt' })
        await run.answered
      },
    ],
    [
      'by deleting the conversation',
      async () => {
        const at = await thread()
        const run = begin('POST', `${at}/runs`, { message })
        await requests(1)
        await send('DELETE', at)
        await run.answered
      },
    ],
    [
      'by a lost connection without a stream',
      async () => {
        const run = begin('POST', `${await thread()}/runs`, { message, stream: false })
        await requests(1)
        run.cut()
        await run.answered
      },
    ],
    [
      'by a lost connection of agent-chat',
      async () => {
        const run = begin('POST', '/api/agent-chat', { message, workDir: server.home })
        await requests(1)
        run.cut()
        await run.answered
      },
    ],
    [
      'by a stop of useChat',
      async () => {
        const run = begin('POST', '/life/chat', { ...(chatRequest(message) as object), id: 'mine' })
        await requests(1)
        await send('POST', '/life/chat/stop', { conversationId: 'mine' })
        await run.answered
      },
    ],
    [
      'by a stop of Socket.IO',
      async () => {
        using page = socketClient(server.url, { extraHeaders: bearer(server.token(user)) })
        page.send('run_agent', runAgent('socket', 'run-1', message, { forwardedProps: { agent: 'life' } }))
        await requests(1)
        page.send('abort_run', { runId: 'run-1' })
        await page.until(({ event }) => event.type === 'RUN_ERROR' || event.type === 'RUN_FINISHED')
      },
    ],
    [
      'by a stop while a tool asks its model',
      async () => {
        provider.play(look, silence)
        const at = await thread('probe')
        const run = begin('POST', `${at}/runs`, { message })
        await requests(2)
        await send('POST', `${at}/stop`)
        await run.answered
      },
    ],
  ])('%s has used what the provider has read', async (how, act) => {
    await act()

    const least = how.includes('tool') ? 10 : 3000
    await expect.poll(async () => (await usage())['inputTokens']).toBeGreaterThanOrEqual(least)
    const [runs, tokens] = await quota()
    expect(runs?.used).toBeGreaterThanOrEqual(1)
    expect(tokens?.used).toBeGreaterThanOrEqual(least)
  })

  it('learns of it by the end of the run', async () => {
    const at = await thread()
    const run = begin('POST', `${at}/runs`, { message })
    await requests(1)
    await send('POST', `${at}/stop`)

    const { runId, text } = (await run.answered) ?? {}
    const tokens = String.raw`3\d\d\d`
    expect(text).toMatch(
      new RegExp(`run.cancelled.*"usage":{"inputTokens":${tokens},"outputTokens":0,"estimated":true}`),
    )
    for (const [protocol, usageText] of Object.entries({
      'ui-message-stream': `"usage":{"inputTokens":${tokens},`,
      'data-stream': `"usage":{"promptTokens":${tokens},`,
    }))
      expect(await send('GET', `/v1/runs/${String(runId)}/events?protocol=${protocol}`)).toMatchObject({
        text: expect.stringMatching(new RegExp(usageText)),
      })
  })
})

describe('a user who breaks off what is asked outside of runs', () => {
  it('has used a run and its prompt', async () => {
    for (let n = 0; n < 3; n++) {
      provider.play(silence)
      const asking = begin('GET', '/probe/ask')
      await requests(1)
      asking.cut()
      await asking.answered
    }

    await expect.poll(async () => (await quota()).map(({ used }) => used)).toEqual([3, expect.any(Number)])
    await expect.poll(async () => (await usage())['inputTokens']).toBeGreaterThan(0)
  })
})

describe('a user whose provider refuses', () => {
  const refusal = { status: 500, body: ['{"error":{"message":"no"}}'] }

  it('has used nothing, with two calls for each question outside of runs', async () => {
    provider.play(refusal, refusal, refusal, refusal)
    await begin('GET', '/probe/ask').answered

    expect(provider.requests).toHaveLength(2)
    expect((await quota()).map(({ used }) => used)).toEqual([0, 0])
  })
})

describe('a user who deletes a conversation as soon as its run has ended', () => {
  it('has used what it cost', async () => {
    provider.play(answer)
    const at = await thread()
    await begin('POST', `${at}/runs`, { message: LONG }).answered
    await send('DELETE', at)

    const [runs, tokens] = await quota()
    expect([runs?.used, tokens?.used]).toEqual([1, 10])
  })
})
