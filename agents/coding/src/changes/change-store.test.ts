import { describe, expect, it, onTestFinished } from 'vitest'

import type { Database } from 'dragoman/database'
import { createThreads, threadMigrations } from 'dragoman/threads'
import { openTestDatabase } from '../../../../packages/dragoman/src/testing/test-storage.fixture.ts'
import { createChangeStore, type ChangeStore } from './change-store.ts'
import { changeTables, codingMigrations } from './change-tables.ts'

const place = { path: '/project/a.txt', within: '/project' }
const bytes = (text: string): Uint8Array => Buffer.from(text)

/** A store by a clock that goes where it is set, and a thread. */
async function open(): Promise<{
  readonly db: Database
  readonly store: ChangeStore
  readonly threadId: string
  readonly clock: { at: string }
  readonly remove: () => Promise<void>
}> {
  const db = await openTestDatabase([...threadMigrations, ...codingMigrations])
  onTestFinished(() => db.destroy())
  const threads = createThreads(db)
  const { thread } = await threads.open({ userId: 'ada', agent: 'coding' })
  const clock = { at: '2026-11-27T08:00:00.000Z' }
  const store = createChangeStore(db, { now: () => new Date(clock.at) })
  return { db, store, threadId: thread.id, clock, remove: () => threads.remove(thread) }
}

describe('the store of changes', () => {
  it('keeps the first content, and knows the last two', async () => {
    const { store, threadId } = await open()
    await store.record({ threadId, place, before: bytes('a'), after: bytes('b') })
    await store.record({ threadId, place, before: bytes('b'), after: bytes('c') })

    const [change] = await store.list(threadId)

    expect(change).toMatchObject({ path: '/project/a.txt', folder: '/project', is_mixed: 0 })
    expect(Buffer.from((await store.readOriginal(threadId, place.path)) ?? []).toString()).toBe('a')
  })

  it('marks a file that changed between two writes', async () => {
    const { store, threadId } = await open()
    await store.record({ threadId, place, before: undefined, after: bytes('b') })
    await store.record({ threadId, place, before: bytes('other'), after: bytes('c') })
    await store.record({ threadId, place, before: bytes('c'), after: bytes('d') })

    expect(await store.list(threadId)).toMatchObject([{ is_mixed: 1 }])
    expect(await store.readOriginal(threadId, place.path)).toBeUndefined()
  })

  it('takes a write that failed for no change of another', async () => {
    const { store, threadId } = await open()
    await store.record({ threadId, place, before: bytes('a'), after: bytes('b') })
    await store.record({ threadId, place, before: bytes('b'), after: bytes('never written') })
    await store.record({ threadId, place, before: bytes('b'), after: bytes('c') })

    expect(await store.list(threadId)).toMatchObject([{ is_mixed: 0 }])
  })

  it('records nothing of a detached run', async () => {
    const { store } = await open()

    await store.record({ threadId: 'once_1', place, before: undefined, after: bytes('b') })

    expect(await store.list('once_1')).toEqual([])
  })

  it('deletes what is old, and what belongs to a deleted thread', async () => {
    const { db, store, threadId, clock, remove } = await open()
    await store.record({ threadId, place, before: undefined, after: bytes('a') })
    clock.at = '2026-11-28T08:00:00.000Z'
    await store.record({
      threadId,
      place: { ...place, path: '/project/b.txt' },
      before: undefined,
      after: bytes('b'),
    })

    await store.prune(new Date('2026-11-27T20:00:00.000Z'))
    expect(await store.list(threadId)).toMatchObject([{ path: '/project/b.txt' }])

    await remove()
    expect(await changeTables(db).selectFrom('coding_changes').select('path').execute()).toEqual([])
  })
})

it('counts the first contents for the user of the thread, and refuses them where there is no room', async () => {
  const { db, threadId } = await open()
  const touched: string[] = []
  let isFull = false
  const store = createChangeStore(db, {
    storage: {
      mayCreate: async () => undefined,
      async grow(userId, size, write) {
        if (isFull) throw new Error('full')
        touched.push(userId)
        expect(size).toBeGreaterThan(500)
        return write()
      },
      changed: (userId) => void touched.push(userId),
    },
  })
  const noise = Buffer.from(Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 251))
  await store.record({ threadId, place, before: noise, after: bytes('b') })
  await store.record({ threadId, place, before: bytes('b'), after: bytes('c') })

  expect(await store.storedBytes('ada')).toBeGreaterThan(500)
  expect(await store.storedBytes('bob')).toBe(0)
  isFull = true
  const other = { ...place, path: '/project/b.txt' }
  await expect(store.record({ threadId, place: other, before: noise, after: bytes('b') })).rejects.toThrow(
    'full',
  )
  await store.record({ threadId, place, before: bytes('c'), after: bytes('d') })
  await store.forget(threadId, place.path)
  expect(await store.storedBytes('ada')).toBe(0)
  expect(touched).toEqual(['ada', 'ada'])
})
