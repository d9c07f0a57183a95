import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Message } from '../events/index.ts'
import type { Store } from '../log/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { finished, textEvents } from './conversation.fixture.ts'
import { createThreadServices, threadMigrations } from './index.ts'
import { threadTables } from './tables.ts'

const RUNS = 16

it('two projectors write the messages of concurrent runs once, in one order', async () => {
  const db = await openTestDatabase(threadMigrations)
  const store = memoryStore()
  const open = () => createThreadServices(db, store, { titles: 'words' })
  const [here, there] = [open(), open()]
  const threads = await Promise.all(
    [0, 1, 2, 3].map(() => here.threads.open({ userId: 'ada', agent: 'dice' })),
  )
  const expected: string[] = []
  for (let n = 0; n < RUNS; n += 1) {
    const threadId = threads[n % threads.length]?.thread.id ?? ''
    const run = newRun(`run_${n}`, { threadId })
    await store.create(run, 'queue')
    await store.append(run.id, [...textEvents(run.id, `answer ${n}`), finished])
    expected.push(run.request.messageId, run.messageId)
  }

  const projectAll = async ({ projector }: typeof here): Promise<void> => {
    await Promise.all(threads.map(({ thread }) => projector.upTo(thread.id)))
  }
  await Promise.all([here, there].map(projectAll))

  const rows = await threadTables(db)
    .selectFrom('chat_messages')
    .select(['id', 'position', 'conversation_id'])
    .orderBy('position')
    .execute()
  expect(rows.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
  expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length)
  for (const { thread } of threads) {
    const ids = rows.filter((row) => row.conversation_id === thread.id).map(({ id }) => id)
    expect(ids).toEqual(expected.filter((id) => ids.includes(id)))
  }
  await db.destroy()
})

/** A store that never gives the log of a user's runs. */
function withoutLogsOf(userId: string, store: Store): Store {
  return {
    ...store,
    async read(runId, ...what) {
      const run = await store.get(runId)
      return run?.userId === userId ? new Promise(() => undefined) : store.read(runId, ...what)
    },
  }
}

async function addRun(store: Store, id: string, more: Parameters<typeof newRun>[1]): Promise<void> {
  await store.create(newRun(id, more), 'queue')
  await store.append(id, [...textEvents(id, `answer of ${id}`), finished])
}

it('projects the runs of one user, and waits for those of no other', async () => {
  const db = await openTestDatabase(threadMigrations)
  const store = memoryStore()
  const { threads, projector, history } = createThreadServices(db, withoutLogsOf('eve', store), {})
  const ofEve = await threads.open({ userId: 'eve', agent: 'dice' })
  const ofAda = await threads.open({ userId: 'ada', agent: 'dice' })
  for (let n = 0; n < 5; n += 1)
    await addRun(store, `run_e${n}`, { threadId: ofEve.thread.id, userId: 'eve' })
  await addRun(store, 'run_a1', { threadId: ofAda.thread.id })
  const all = projector.catchUpAll()

  // Each list waits for a moment only, so the machine may need several.
  const contentOf = async (id: string): Promise<string | undefined> => {
    await projector.catchUp('ada')
    return (await history.find(ofAda.thread.id, id))?.row.content
  }
  await expect.poll(() => contentOf('msg_run_a1')).toBe('answer of run_a1')

  // Work that does not end is not waited for, and holds up neither a second list nor one of another user.
  await Promise.all([projector.catchUp('eve'), projector.catchUp('eve')])
  await addRun(store, 'run_a2', { threadId: ofAda.thread.id })
  await expect.poll(() => contentOf('msg_run_a2')).toBe('answer of run_a2')
  void all
  await db.destroy()
})

it('leaves the runs that it owes to the next process when the server closes', async () => {
  const db = await openTestDatabase(threadMigrations)
  const store = memoryStore()
  const { threads, history } = createThreadServices(db, store, {})
  const { thread } = await threads.open({ userId: 'ada', agent: 'dice' })
  for (const id of ['run_1', 'run_2', 'run_3']) {
    const own = await threads.open({ userId: 'ada', agent: 'dice' })
    await addRun(store, id, { threadId: id === 'run_1' ? thread.id : own.thread.id })
  }
  const closing = new AbortController()
  const closesAtFirst: Store = {
    ...store,
    get: (runId) => {
      closing.abort()
      return store.get(runId)
    },
  }
  await createThreadServices(db, closesAtFirst, {}).projector.keepUp(closing.signal, (error) => {
    expect.unreachable(String(error))
  })
  const rows = () =>
    threadTables(db).selectFrom('chat_messages').select('id').where('role', '=', 'assistant').execute()
  expect(await rows()).toEqual([{ id: 'msg_run_1' }])
  expect((await history.find(thread.id, 'msg_run_1'))?.row.content).toBe('answer of run_1')

  await createThreadServices(db, store, {}).projector.catchUpAll()
  expect(await rows()).toHaveLength(3)
  await db.destroy()
})

it('continues a user where the passes of all users have stopped', async () => {
  const db = await openTestDatabase(threadMigrations)
  const store = memoryStore()
  const { threads, projector, history } = createThreadServices(db, store, {})
  const { thread } = await threads.open({ userId: 'ada', agent: 'dice' })
  const running = { threadId: thread.id }
  await store.create(newRun('run_1', running), 'queue')
  await projector.catchUpAll()
  await store.append('run_1', [...textEvents('run_1', 'first'), finished])
  // Another process, which has made no pass.
  const other = createThreadServices(db, store, {})
  await other.projector.catchUp('ada')

  expect((await history.find(thread.id, 'msg_run_1'))?.row).toMatchObject({
    content: 'first',
    finish_reason: 'stop',
  })
  await db.destroy()
})

const turnsOf = (name: string, count: number): Message[] =>
  Array.from({ length: count }, (_, at) =>
    at % 2 === 0
      ? { role: 'user', id: `msg_${name}${at}`, parts: [{ type: 'text', text: `question ${at}` }] }
      : {
          role: 'assistant',
          id: `msg_${name}${at}`,
          status: 'finished',
          parts: [{ type: 'text', text: `answer ${at}` }],
        },
  ) as Message[]

it('writes a long history while others use the database', async () => {
  const db = await openTestDatabase(threadMigrations)
  const store = memoryStore()
  const { threads, projector, messagePages } = createThreadServices(db, store, {})
  const { thread } = await threads.open({ userId: 'eve', agent: 'dice' })
  const usual = newRun('run_1', { threadId: thread.id, userId: 'eve' })
  const history = turnsOf('h', 1000)
  await addRun(store, 'run_1', { ...usual, request: { ...usual.request, history } })

  let hasEnded = false
  const projection = projector.upTo(thread.id).then(() => (hasEnded = true))
  let reads = 0
  while (!hasEnded) {
    await threads.list('ada', { limit: 1 })
    reads += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  await projection

  expect(reads).toBeGreaterThan(10)
  const ids: string[] = []
  for await (const { read } of messagePages.all(thread.id))
    ids.push(...(await read()).map(({ row }) => row.id))
  expect(ids).toEqual([...history.map(({ id }) => id), 'msg_u_run_1', 'msg_run_1'])
  await db.destroy()
})

it('writes histories once and in order, however often and wherever it is interrupted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(12), { maxLength: 3 }),
      async (lengths, faults) => {
        const db = await openTestDatabase(threadMigrations)
        const store = memoryStore()
        const services = createThreadServices(db, store, {})
        const { thread } = await services.threads.open({ userId: 'ada', agent: 'dice' })
        const expected: string[] = []
        for (const [n, length] of lengths.entries()) {
          const usual = newRun(`run_${n}`, { threadId: thread.id })
          const history = turnsOf(`${n}h`, length)
          const parentId = expected.at(-1)
          const request = { ...usual.request, history }
          await addRun(store, usual.id, { ...usual, request, ...(parentId !== undefined && { parentId }) })
          expected.push(...history.map(({ id }) => id), usual.request.messageId, usual.messageId)
        }

        const stopping = faults.map((after) => projectUntil(after, db, store, thread.id))
        await Promise.all([...stopping, services.projector.upTo(thread.id)])

        const rows = await threadTables(db)
          .selectFrom('chat_messages')
          .select(['id', 'parent_id'])
          .orderBy('position')
          .execute()
        expect(rows.map(({ id }) => id)).toEqual(expected)
        expect(rows.map(({ parent_id }) => parent_id)).toEqual([null, ...expected.slice(0, -1)])
        await db.destroy()
      },
    ),
    { numRuns: 15 },
  )
})

/** A process that dies after so many transactions. */
async function projectUntil(
  after: number,
  db: Awaited<ReturnType<typeof openTestDatabase>>,
  store: Store,
  threadId: string,
): Promise<void> {
  let remaining = after
  const dying = new Proxy(db, {
    get(target, name, receiver) {
      if (name !== 'withTables') return Reflect.get(target, name, receiver) as unknown
      return () =>
        new Proxy(threadTables(target), {
          get(tables, member, self) {
            if (member === 'transaction' && remaining-- <= 0) throw new Error('dead')
            return Reflect.get(tables, member, self) as unknown
          },
        })
    },
  })
  await createThreadServices(dying, store, {})
    .projector.upTo(threadId)
    .catch(() => undefined)
}
