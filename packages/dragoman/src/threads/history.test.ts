import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Database } from '../database/index.ts'
import type { Message, ClientTurn } from '../events/index.ts'
import { noteActivity, type Store } from '../log/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { createHistory, createProjector, threadMigrations, createThreads } from './index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'

const words = (role: 'user' | 'assistant', index: number): string => `${role} ${index}`

describe('a conversation', () => {
  let db: Database
  let store: Store
  let threadId: string
  beforeEach(async () => {
    db = await openTestDatabase(threadMigrations)
    store = memoryStore()
    threadId = (await createThreads(db).open({ userId: 'ada', agent: 'dice' })).thread.id
  })
  afterEach(() => db.destroy())

  /** A run whose client told of so many turns before. */
  const addMessages = async (count: number, texts: readonly string[] = []): Promise<Message[]> => {
    const turns = Array.from({ length: count }, (_none, index): Message => {
      const text = texts[index] ?? words(index % 2 === 0 ? 'user' : 'assistant', index)
      if (index % 2 === 0) return { role: 'user', id: `msg_${index}`, parts: [{ type: 'text', text }] }
      const part = { type: 'text', partId: 'p', text, open: false } as const
      return { role: 'assistant', id: `msg_${index}`, status: 'finished', parts: [part] }
    })
    const run = newRun('run_1', { threadId })
    await store.create({ ...run, request: { ...run.request, history: turns } }, 'reject')
    await createProjector(db, store).upTo(threadId)
    return turns
  }
  const toTurns = (messages: readonly Message[], withIds: boolean): ClientTurn[] =>
    messages.map(({ id, role }, index) => ({ role, text: words(role, index), ...(withIds && { id }) }))

  it('is read up to a size, the newest messages first', async () => {
    await addMessages(6, ['x'.repeat(500), 'y'.repeat(500), 'z'.repeat(5000), 'short', 'short', 'short'])
    const history = createHistory(db)
    const read = async (maxBytes: number) => {
      const found = await history.path(threadId, { leaf: 'msg_5', limit: 10, maxBytes })
      return found.map(({ message }) => message.id)
    }

    expect(await read(10)).toEqual([])
    expect(await read(1000)).toEqual(['msg_3', 'msg_4', 'msg_5'])
    expect(await read(6000)).toHaveLength(5)
    expect(await read(100_000)).toHaveLength(6)
  })

  it.each([true, false])(
    'goes on after an answer that its client has lost (with ids: %s)',
    async (withIds) => {
      const [first, , third] = toTurns(await addMessages(4), withIds) as [ClientTurn, ClientTurn, ClientTurn]
      const history = createHistory(db)

      expect(await history.place(threadId, [first])).toEqual({ parentId: 'msg_1', unknown: [] })
      expect((await history.place(threadId, [first, third])).parentId).toBe(withIds ? 'msg_3' : 'msg_1')
    },
  )

  it.each([
    ['by ids', true, 0],
    ['by ids, its oldest turns let go of', true, 2],
    ['by words, its oldest turns let go of', false, 250],
  ])('of 600 turns is known to a client that tells of them %s', async (_name, withIds, from) => {
    const turns = await addMessages(600)

    const place = await createHistory(db).place(threadId, toTurns(turns, withIds).slice(from))

    expect(place).toEqual({ parentId: 'msg_599', unknown: [] })
  })

  it('continues at the end if a client sends only its last turns, though earlier turns equal them', async () => {
    const turns: ClientTurn[] = ['hello', 'Hi.', 'hello', 'Hi.', 'hello', 'Hi.'].map((text, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      text,
    }))
    await addMessages(
      6,
      turns.map(({ text }) => text),
    )

    expect(await createHistory(db).place(threadId, turns.slice(-2))).toEqual({
      parentId: 'msg_5',
      unknown: [],
    })
  })

  it('takes what a client adds after turns that we know', async () => {
    const turns = await addMessages(4)
    const added: ClientTurn = { role: 'assistant', text: 'said elsewhere' }

    expect(await createHistory(db).place(threadId, [...toTurns(turns, true), added])).toEqual({
      parentId: 'msg_3',
      unknown: [added],
    })
    expect(await createHistory(db).place(threadId, [added])).toEqual({ unknown: [added] })
  })

  it('is paged from its end', async () => {
    await addMessages(5)
    const path = createHistory(db)

    const last = await path.path(threadId, { limit: 3 })
    const first = await path.path(threadId, { limit: 3, before: last[0]?.row.id ?? '' })

    expect(last.map(({ row }) => row.content)).toEqual(['user 4', '你好', ''])
    expect(first.map(({ row }) => row.content)).toEqual(['assistant 1', 'user 2', 'assistant 3'])
  })

  it('has its rows written at a start, a tool’s end and an end, by passes that go on after a failure', async () => {
    const passes = new AbortController()
    const reports: unknown[] = []
    let broken = true
    const flaky: Store = {
      ...store,
      changed: (...args) => (broken ? Promise.reject(new Error('busy')) : store.changed(...args)),
    }
    await store.create(newRun('run_1', { threadId }), 'reject')
    const keeping = createProjector(db, flaky).keepUp(passes.signal, (error) => {
      reports.push(error)
      broken = false
    })
    const row = async (): Promise<string | null | undefined> =>
      (await createHistory(db).find(threadId, 'msg_run_1'))?.row.finish_reason
    const becomes = (reason: string) => {
      noteActivity()
      return expect.poll(row, { timeout: 5000 }).toBe(reason)
    }

    await becomes('incomplete')
    await store.append('run_1', [
      { type: 'run.finished', reason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } },
    ])
    await becomes('stop')

    passes.abort()
    await keeping
    expect(reports).toHaveLength(1)
  })
})
