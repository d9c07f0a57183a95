import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { native, type Protocol } from '../../packages/dragoman/src/protocols/index.ts'
import { gate } from '../support/gate.ts'
import { client } from '../support/http.ts'
import { reading } from '../support/event-stream.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'

/** By then the server knows that a caller is gone. */
const NOTICED_MS = 100
const text = 'Count.'
const parts = [{ type: 'text', text }]
const agUiBody = {
  threadId: 'chat-1',
  runId: 'r1',
  messages: [{ id: 'm1', role: 'user', content: text }],
  tools: [],
  context: [],
}
/** A dialect whose clients stop by disconnecting. */
const hasty: Protocol = {
  ...native,
  name: 'hasty',
  endsWithCaller: true,
}

/** A server whose answer waits at `held`, and a caller that disconnects. */
async function opened({ protocols = [] }: { protocols?: readonly Protocol[] } = {}) {
  const held = gate()
  const { models, play } = scriptedModel()
  play([step(says('One ', held, 'two.')), step(says('Three.'))])
  const server = await openServer({ models, capability: { protocols } })
  const { json } = client(server)
  await json('POST', '/v1/threads', { name: 'chat-1' })
  const statusOf = async (run: string) =>
    ((await json('GET', `/v1/runs/${run}`)).body as { run: { status: string } }).run.status
  const askHere = (path: string, body: Json, headers?: Record<string, string>) =>
    askAt(server.url, path, body, headers)
  return { server, held, json, ask: askHere, statusOf }
}

async function askAt(url: string, path: string, body: Json, headers: Record<string, string> = {}) {
  const caller = new AbortController()
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: caller.signal,
  })
  return { run: response.headers.get('x-run-id') ?? '', disconnect: () => caller.abort() }
}

describe('a caller that disconnects', () => {
  it.each<[string, Json]>([
    ['/jobs/chat', { message: text }],
    ['/jobs/chat', { id: 'chat-1', message: { role: 'user', parts } }],
    ['/jobs/chat', { id: 'chat-1', message: { role: 'user', content: text, parts } }],
    ['/v1/threads/chat-1/runs', { message: text }],
    ['/ag-ui/jobs', agUiBody],
    ['/copilotkit/agent/jobs/run', agUiBody],
  ])('ends its run at %s only if it asks for that: %j', async (path, body) => {
    for (const [query, status] of [
      ['', 'finished'],
      ['?disconnect=stop', 'cancelled'],
    ] as const) {
      const { server, held, ask, statusOf } = await opened()
      await using _ = server
      const caller = await ask(`${path}${query}`, body)
      await held.reached
      caller.disconnect()
      await pause(NOTICED_MS)
      held.open()

      await expect.poll(() => statusOf(caller.run)).toBe(status)
    }
  })

  it.each(['disconnect=detach', 'ids=1'])(
    'keeps its run in a dialect that ends it with %s',
    async (query) => {
      const { server, held, ask, statusOf } = await opened({ protocols: [hasty] })
      await using _ = server
      const caller = await ask(`/jobs/chat?protocol=hasty&${query}`, { message: text })
      await held.reached
      caller.disconnect()
      await pause(NOTICED_MS)
      held.open()

      await expect.poll(() => statusOf(caller.run)).toBe('finished')
    },
  )

  it('ends its run in a dialect whose clients stop by disconnecting', async () => {
    const { server, held, ask, statusOf } = await opened({ protocols: [hasty] })
    await using _ = server
    const caller = await ask('/jobs/chat?protocol=hasty', { message: text })
    await held.reached
    caller.disconnect()

    await expect.poll(() => statusOf(caller.run)).toBe('cancelled')
  })

  it('keeps its run when the server closes', async () => {
    const home = await mkdtemp(join(tmpdir(), 'dragoman-'))
    const held = gate()
    const { models, play } = scriptedModel()
    play([step(says('One ', held, 'two.')), step(says(' three.'))])
    const first = await openServer({ models, home, isOnDisk: true })
    const { run } = await askAt(first.url, '/jobs/chat?disconnect=stop', { message: text })
    await held.reached
    await first[Symbol.asyncDispose]()
    await using second = await openServer({ models, home, isOnDisk: true })
    const { json } = client(second)
    const status = async () =>
      ((await json('GET', `/v1/runs/${run}`)).body as { run: { status: string } }).run.status

    await expect.poll(status).toBe('finished')
    await rm(home, { recursive: true, force: true })
  })

  it('does not end a run that another reader follows, nor does that reader', async () => {
    const { server, held, ask, statusOf } = await opened()
    await using _ = server
    const caller = await ask('/jobs/chat?disconnect=stop', { message: text })
    const other = new AbortController()
    const follows = await fetch(`${server.url}/v1/runs/${caller.run}/events?disconnect=stop`, {
      signal: other.signal,
    })
    await reading(follows).until('One')
    caller.disconnect()
    await expect.poll(() => statusOf(caller.run)).toBe('running')
    other.abort()
    held.open()

    await expect.poll(() => statusOf(caller.run)).toBe('finished')
  })

  it('does not end a run that an earlier request with its key began', async () => {
    const { server, held, ask, statusOf } = await opened()
    await using _ = server
    const headers = { 'idempotency-key': 'k1' }
    const first = await ask('/jobs/chat', { message: text }, headers)
    await held.reached
    const second = await ask('/jobs/chat?disconnect=stop', { message: text }, headers)
    expect(second.run).toBe(first.run)
    first.disconnect()
    second.disconnect()
    await expect.poll(() => statusOf(first.run)).toBe('running')
    held.open()

    await expect.poll(() => statusOf(first.run)).toBe('finished')
  })

  it('is refused before its run begins if it asks for something else', async () => {
    const { server, json } = await opened()
    await using _ = server
    const { status, body } = await json('POST', '/jobs/chat?disconnect=never', { message: text })

    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: 'disconnect must be "stop" or "detach".' },
    })
    expect((await json('GET', '/v1/runs')).body).toMatchObject({ runs: [] })
  })
})
