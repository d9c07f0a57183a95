import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { createStorage, storageMigrations, type Storage } from '../access/storage/index.ts'
import type { Message } from '../events/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { finished, textEvents } from './conversation.fixture.ts'
import { createThreadServices, threadMigrations } from './index.ts'

async function open(limit?: number) {
  const db = await openTestDatabase([...threadMigrations, ...storageMigrations])
  const store = memoryStore()
  const counts: Storage = createStorage(db, () => limit)
  const storage = {
    ...counts,
    mayCreate: (userId: string, bytes: number) => counts.requireRoom(userId, bytes),
    mayChange: async () => undefined,
  }
  const services = createThreadServices(db, store, { storage })
  let runs = 0
  /** A run with so many turns before it, and an answer of so many characters. Gives its id. */
  const run = async (userId: string, threadId: string, turns: number, length: number): Promise<string> => {
    const id = `run_${(runs += 1)}`
    const usual = newRun(id, { threadId, userId })
    const history = Array.from({ length: turns }, (_, at): Message => ({
      role: 'user',
      id: `msg_${id}_${at}`,
      parts: [{ type: 'text', text: 'turn' }],
    }))
    await store.create({ ...usual, request: { ...usual.request, history } }, 'queue')
    await store.append(id, textEvents(id, 'x'.repeat(length)))
    return id
  }
  const end = (id: string) => store.append(id, [finished])
  const used = async (userId: string): Promise<number> => (await counts.status(userId)).used
  return { ...services, db, store, counts, run, end, used }
}

const USERS = ['ada', 'guest_1'] as const
const command = fc.oneof(
  fc.record({ do: fc.constant('run' as const), user: fc.constantFrom(...USERS), turns: fc.nat(60) }),
  fc.record({ do: fc.constant('fork' as const), user: fc.constantFrom(...USERS) }),
  fc.record({ do: fc.constant('delete' as const), user: fc.constantFrom(...USERS) }),
  fc.record({ do: fc.constant('claim' as const) }),
)

it('counts exactly what a recount finds, whatever is done', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 8 }), async (commands) => {
      const all = await open()
      for (const each of commands) {
        if (each.do === 'claim') await all.ownership.transfer('guest_1', 'ada')
        if (each.do === 'run') {
          const { thread } = await all.threads.open({ userId: each.user, agent: 'dice' })
          const id = await all.run(each.user, thread.id, each.turns, each.turns * 10)
          // The row of a running answer grows.
          await Promise.all([all.projector.upTo(thread.id), all.projector.catchUp(each.user)])
          await all.end(id)
          await all.projector.upTo(thread.id)
        }
        if (each.do === 'fork' || each.do === 'delete') {
          const [thread] = await all.threads.list(each.user, { limit: 1 })
          if (thread && each.do === 'fork') await all.forks.fork(each.user, thread, {})
          if (thread && each.do === 'delete') await all.threads.remove(thread)
        }
      }
      for (const user of USERS) {
        const before = await all.used(user)
        await all.recount.conversations(user)
        expect(await all.used(user)).toBe(before)
        for (const thread of await all.threads.list(user, { limit: 100 })) await all.threads.remove(thread)
        expect(await all.used(user)).toBe(0)
      }
      await all.db.destroy()
    }),
    { numRuns: 15 },
  )
})

it('counts a text with its log, and gives its bytes back', async () => {
  const all = await open()
  const { thread } = await all.threads.open({ userId: 'ada', agent: 'dice' })
  await all.end(await all.run('ada', thread.id, 0, 100_000))
  await all.projector.upTo(thread.id)
  expect(await all.used('ada')).toBeGreaterThan(300_000)
  expect(await all.used('ada')).toBeLessThan(310_000)
  expect(await all.used('bob')).toBe(0)

  await all.deletion.remove(thread.id)
  expect(await all.used('ada')).toBe(0)
  await all.db.destroy()
})

it('refuses threads and copies of a user whose storage is full', async () => {
  const all = await open(700_000)
  const { thread } = await all.threads.open({ userId: 'ada', agent: 'dice' })
  await all.end(await all.run('ada', thread.id, 0, 100_000))
  await all.projector.upTo(thread.id)
  const current = await all.threads.get('ada', thread.id)
  await all.forks.fork('ada', current, {})
  await expect(all.forks.fork('ada', current, {})).rejects.toMatchObject({ code: 'storage-full' })
  await all.threads.open({ userId: 'ada', agent: 'dice' })

  await all.counts.reserve('ada', 'run_x', 50_000)
  await expect(all.counts.reserve('ada', 'run_y', 50_000)).rejects.toMatchObject({ code: 'storage-full' })
  await all.counts.reserve('bob', 'run_y', 50_000)
  all.counts.settle('ada', 'run_x')
  await all.counts.reserve('ada', 'run_y', 50_000)
  await all.threads.remove(current)
  await all.forks.fork('ada', (await all.threads.list('ada', { limit: 9 })).at(-1) ?? current, {})
  await all.db.destroy()
})

it('counts threads without messages, and refuses more of them where the storage is full', async () => {
  const all = await open(2800)
  const names = ['a', 'b', 'c', 'd'].map((name) => name.repeat(100))
  for (const name of names) await all.threads.open({ userId: 'ada', agent: 'dice', name })
  expect(await all.used('ada')).toBeGreaterThan(4 * 600)
  await expect(all.threads.open({ userId: 'ada', agent: 'dice', name: 'e' })).rejects.toMatchObject({
    code: 'storage-full',
  })
  // One that is there counts once.
  await all.threads.open({ userId: 'ada', agent: 'dice', name: 'a'.repeat(100) })

  const before = await all.used('ada')
  await all.recount.conversations('ada')
  expect(await all.used('ada')).toBe(before)
  await all.db.destroy()
})

it('corrects a count that is wrong', async () => {
  const all = await open()
  const { thread } = await all.threads.open({ userId: 'ada', agent: 'dice' })
  await all.end(await all.run('ada', thread.id, 3, 1000))
  await all.projector.upTo(thread.id)
  const right = await all.used('ada')
  const tables = all.db.withTables<{ conversations: { bytes: number }; stored_bytes: { bytes: number } }>()
  await tables.updateTable('conversations').set({ bytes: 7 }).execute()
  await tables.updateTable('stored_bytes').set({ bytes: 99 }).execute()

  expect(await all.recount.users('', 10)).toEqual(['ada'])
  await all.recount.conversations('ada')
  expect(await all.used('ada')).toBe(right)
  await all.threads.remove(thread)
  expect(await all.used('ada')).toBe(0)
  await all.db.destroy()
})
