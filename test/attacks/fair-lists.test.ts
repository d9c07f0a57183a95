import { beforeEach, describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { configured } from '../support/configured.ts'
import { chatRequest } from '../support/http.ts'
import { isFull } from '../support/is-full.ts'
import type { TestServer } from '../support/server.ts'
import { rowsOfEveryTable } from '../support/wire.ts'

const house = configured()
const { as } = house
let server: TestServer
const open = async (config: Readonly<Record<string, Json>>): Promise<void> => {
  ;({ server } = await house.open(config, { isOnDisk: true }))
}

/** A request of AG-UI in a new thread, with so many earlier messages of so many characters. */
const history = (count: number, length = 5) => ({
  threadId: `h${Math.random()}`,
  runId: `r${Math.random()}`,
  messages: [
    ...Array.from({ length: count }, (_, at) => ({
      id: `m${at}`,
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: 'hello '.repeat(length),
    })),
    { id: 'last', role: 'user', content: 'hello' },
  ],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
})

const AT_ONCE = 12
const ROUNDS = isFull ? 12 : 2

describe('a user who brings many histories', () => {
  beforeEach(() => open({ rateLimit: 0, limits: { importedMessagesPerMinute: 1_000_000 } }))

  it('makes the lists of no one else wait', async () => {
    await as('bob')('POST', '/jobs/chat', chatRequest('my own conversation'))
    let ended = 0
    const flood = Array.from({ length: AT_ONCE }, async () => {
      const statuses: number[] = []
      for (let n = 0; n < ROUNDS; n += 1)
        statuses.push((await as('ada')('POST', '/ag-ui/jobs', history(1000))).status)
      ended += 1
      return statuses
    })
    // Lists of another user are answered in between, and have what that user did.
    const lists = ['/v1/threads', '/v1/search?q=own', '/v1/runs', '/v1/questions', '/jobs/chat/conversations']
    expect((await as('bob')('GET', '/v1/threads')).json['threads']).toHaveLength(1)
    expect(ended).toBe(0)
    for (const path of lists) expect((await as('bob')('GET', path)).status).toBe(200)
    expect((await as('bob')('GET', '/v1/search?q=own')).json['messages']).toHaveLength(1)

    expect(new Set((await Promise.all(flood)).flat())).toEqual(new Set([200]))
    const { threads } = (await as('ada')('GET', '/v1/threads?limit=100')).json as { threads: object[] }
    expect(threads.length).toBe(Math.min(AT_ONCE * ROUNDS, 100))
  })
})

describe('what a user creates in a minute', () => {
  beforeEach(() => open({ rateLimit: 3, limits: { importedMessagesPerMinute: 500 } }))

  it('is limited on every way together', async () => {
    const thread = String((await as('ada')('POST', '/v1/threads', {})).json['id'])
    const statuses: number[] = []
    for (let n = 0; n < 3; n += 1)
      statuses.push((await as('ada')('POST', `/v1/threads/${thread}/fork`, {})).status)

    expect(statuses).toEqual([201, 201, 429])
    const before = await rowsOfEveryTable(server.home)
    const refused = await as('ada')('POST', `/v1/threads/${thread}/fork`, {})
    expect(refused.json).toMatchObject({ code: 'rate-limited', retryAfter: expect.any(Number) })
    expect(await rowsOfEveryTable(server.home)).toEqual(before)
    expect((await as('ada')('GET', `/v1/threads/${thread}`)).status).toBe(200)
    expect((await as('bob')('POST', '/v1/threads', {})).status).toBe(201)
  })

  it('includes the messages of histories', async () => {
    expect((await as('ada')('POST', '/ag-ui/jobs', history(600))).status).toBe(200)
    const before = await rowsOfEveryTable(server.home)
    const refused = await as('ada')('POST', '/ag-ui/jobs', history(1))
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate-limited' } })
    expect(await rowsOfEveryTable(server.home)).toEqual(before)
    expect((await as('ada')('POST', '/ag-ui/jobs', history(0))).status).toBe(200)
  })
})

describe('a user whose storage is full', () => {
  beforeEach(() => open({ rateLimit: 0, limits: { storageBytes: 400_000 } }))

  it('is refused on every way before any write, reads and deletes, and goes on then', async () => {
    const first = await as('ada')('POST', '/jobs/chat', chatRequest('x'.repeat(90_000)))
    expect(first.status).toBe(200)
    const [{ id: thread }] = (await as('ada')('GET', '/v1/threads')).json['threads'] as [{ id: string }]
    const storage = async () =>
      (await as('ada')('GET', '/v1/quota')).json['storage'] as { used: number; limit: number }
    const { used, limit } = await storage()
    expect(limit).toBe(400_000)
    expect(used).toBeGreaterThan(270_000)

    const before = await rowsOfEveryTable(server.home)
    for (const [path, body] of [
      ['/jobs/chat', chatRequest('y'.repeat(90_000))],
      [`/v1/threads/${thread}/runs`, { message: 'y'.repeat(90_000) }],
      [`/v1/threads/${thread}/fork`, {}],
      ['/ag-ui/jobs', history(100, 300)],
    ] as const) {
      const refused = await as('ada')('POST', path, body)
      expect([path, refused.status, refused.json['code']]).toEqual([path, 413, 'storage-full'])
    }
    expect(await rowsOfEveryTable(server.home)).toEqual(before)
    expect((await as('bob')('POST', '/jobs/chat', chatRequest('y'.repeat(90_000)))).status).toBe(200)

    expect((await as('ada')('GET', `/v1/threads/${thread}/messages`)).status).toBe(200)
    expect((await as('ada')('DELETE', `/v1/threads/${thread}`)).status).toBe(204)
    expect((await storage()).used).toBe(0)
    expect((await as('ada')('POST', '/jobs/chat', chatRequest('y'.repeat(90_000)))).status).toBe(200)
  })

  it('finds no room by sending at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, () => as('ada')('POST', '/jobs/chat', chatRequest('x'.repeat(50_000)))),
    )
    const statuses = all.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(2)
    expect(statuses.filter((status) => status === 413)).toHaveLength(10)
  })
})
