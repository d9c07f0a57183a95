import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { migrate, openDatabase, type Database } from '../database/index.ts'
import type { RunEvent } from '../events/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { openSqlite } from '../stores/sqlite/index.ts'
import { createThreadServices, threadMigrations } from './index.ts'
import { finished, textEvents } from './conversation.fixture.ts'

const SECRET = 'xyzzyplugh 绝密文件'
/** The number of the run that asks. */
const LAST = 12
const TRACES = ['xyzzy', '绝密', '绝 密']

describe('a conversation that is deleted', () => {
  it('is in no row of any table, nor in the index’s own', async () => {
    const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    const file = join(home, 'dragoman.db')
    const { store } = openSqlite(file)
    await store.ping()
    const db = openDatabase(file)
    await migrate(db, threadMigrations)
    const all = createThreadServices(db, store, {})
    const say = async (id: string, threadId: string, text: string): Promise<void> => {
      const usual = newRun(id, { threadId, key: `idempotency:${id}:${text}` })
      const request = { ...usual.request, clientId: text, input: [{ type: 'text', text } as const] }
      await store.create({ ...usual, request }, 'queue')
      await store.append(id, [...textEvents(id, `${text} ${'and so on '.repeat(200)}`), ...asks(id, text)])
      await all.projector.upTo(threadId)
    }
    const named = { userId: 'ada', agent: 'dice', metadata: { note: SECRET } }
    const { thread } = await all.threads.open({ ...named, name: SECRET })
    await all.threads.change(thread, { title: SECRET })
    const { thread: other } = await all.threads.open({ userId: 'ada', agent: 'dice' })
    for (let n = 0; n < 300; n++) await say(`run_other_${n}`, other.id, `harmless ${n}`)
    for (let n = 0; n < LAST; n++) await say(`run_${n}`, thread.id, SECRET)
    await say(`run_${LAST}`, thread.id, SECRET)
    // So few of so many would be only marked as deleted.
    await sql`INSERT INTO message_words (message_words) VALUES ('optimize')`.execute(db)
    expect(await traces(db)).toEqual(
      expect.arrayContaining(['runs', 'run_entries', 'chat_messages', 'message_words_data', 'questions']),
    )

    await store.remove(thread.id)
    await all.threads.remove(thread)

    expect(await traces(db)).toEqual([])
    const { messages } = await all.search.find('ada', { query: 'harmless', limit: 100 })
    expect(messages).toHaveLength(100)

    await store.remove(other.id)
    await all.threads.remove(other)
    for (const table of ['conversations', 'chat_messages', 'questions', 'message_words_docsize']) {
      expect({ table, rows: await rowsOf(db, table) }).toEqual({ table, rows: [] })
    }
    await db.destroy()
    await store[Symbol.asyncDispose]()
    await rm(home, { recursive: true })
  })
})

/** A question that is left open, so that its row is there. */
function asks(runId: string, text: string): RunEvent[] {
  const callId = `${runId}.2`
  if (runId === `run_${LAST}`) {
    return [
      { type: 'tool.started', callId, tool: 'send' },
      { type: 'tool.called', callId, tool: 'send', input: { text } },
      { type: 'tool.asked', callId, question: { kind: 'approval' } },
    ]
  }
  return [finished]
}

/** Where in all tables, those of the index too, the text is found. */
async function traces(db: Database): Promise<string[]> {
  const { rows: tables } = await sql<{
    name: string
  }>`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const bytes = (await rowsOf(db, name)).flatMap((row) => Object.values(row))
    if (bytes.some((each) => each !== null && TRACES.some((trace) => Buffer.from(each).includes(trace))))
      found.push(name)
  }
  return found
}

/** All values as bytes: some numbers of the index's are too large for ours. */
async function rowsOf(db: Database, table: string): Promise<Record<string, Uint8Array | null>[]> {
  const { rows: columns } = await sql<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.execute(
    db,
  )
  const values = columns.map(({ name }) => sql`CAST(${sql.ref(name)} AS BLOB) AS ${sql.ref(name)}`)
  const all = sql<Record<string, Uint8Array | null>>`SELECT ${sql.join(values)} FROM ${sql.table(table)}`
  return (await all.execute(db)).rows
}
