import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { migrate, openDatabase } from '../db/index.ts'
import type { RunEvent } from '../events/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { openSqlite } from '../stores/sqlite/index.ts'
import { talk, threadMigrations } from './index.ts'
import { finished, spoken } from './talking.fixture.ts'

const SECRET = 'xyzzyplugh 绝密文件'
const TRACES = ['xyzzy', '绝密', '绝 密']

describe('a conversation that is deleted', () => {
  it('is in no row of any table, and in no byte of the file', async () => {
    const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    const file = join(home, 'dragoman.db')
    const { store } = openSqlite(file)
    await store.changed(0, 1)
    const db = openDatabase(file)
    await migrate(db, threadMigrations)
    const all = talk(db, store, {})
    const say = async (id: string, threadId: string, text: string): Promise<void> => {
      const usual = newRun(id, { threadId, key: `idempotency:${id}:${text}` })
      const request = { ...usual.request, clientId: text, input: [{ type: 'text', text } as const] }
      await store.create({ ...usual, request }, 'queue')
      await store.append(id, [...spoken(id, `${text} ${'and so on '.repeat(2000)}`), ...asks(id, text)])
      await all.projector.upTo(threadId)
    }
    const named = { userId: 'ada', agent: 'jobs', metadata: { note: SECRET } }
    const { thread } = await all.threads.open({ ...named, name: SECRET })
    await all.threads.change(thread, { title: SECRET })
    const { thread: other } = await all.threads.open({ userId: 'ada', agent: 'jobs' })
    for (let n = 0; n < 60; n++) await say(`run_other_${n}`, other.id, `harmless ${n}`)
    for (let n = 0; n < 120; n++) await say(`run_${n}`, thread.id, SECRET)
    await sql`INSERT INTO message_words (message_words) VALUES ('optimize')`.execute(db)
    expect(await traces(db)).not.toEqual([])

    await store.remove(thread.id)
    await all.threads.remove(thread)

    expect(await traces(db)).toEqual([])
    expect(await all.search.find('ada', { query: 'harmless', limit: 100 })).toMatchObject({
      messages: { length: 100 },
    })
    await db.destroy()
    await store[Symbol.asyncDispose]()
    for (const name of await readdir(home)) {
      const bytes = await readFile(join(home, name))
      expect({ name, left: TRACES.filter((trace) => bytes.includes(trace)) }).toEqual({ name, left: [] })
    }
    await rm(home, { recursive: true })
  })
})

/** A question that is left open, so that its row is there. */
function asks(runId: string, text: string): RunEvent[] {
  const callId = `${runId}.2`
  if (runId === 'run_119') {
    return [
      { type: 'tool.started', callId, tool: 'send' },
      { type: 'tool.called', callId, tool: 'send', input: { text } },
      { type: 'tool.asked', callId, question: { kind: 'approval' } },
    ]
  }
  return [finished]
}

/** Where in all tables, those of the index too, the text is found. */
async function traces(db: ReturnType<typeof openDatabase>): Promise<string[]> {
  const { rows: tables } = await sql<{
    name: string
  }>`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(db)
    const bytes = rows.flatMap((row) => Object.values(row)).map((value) => bytesOf(value))
    if (bytes.some((each) => TRACES.some((trace) => each.includes(trace)))) found.push(name)
  }
  return found
}

function bytesOf(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value))
}
