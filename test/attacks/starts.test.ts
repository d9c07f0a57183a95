import { setImmediate } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { dialectOf, type DialectName } from '../../packages/dragoman/src/database/index.ts'
import { isOnPostgres } from '../../packages/dragoman/src/testing/test-storage.fixture.ts'
import { withoutBeats } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { openHomeDatabase, queryHome } from '../support/home-storage.ts'
import { client, chatRequest } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { ask } from '../support/wire.ts'
import { createTempDir } from '../support/create-temp-dir.ts'

const MANY = 50

let home: string
let servers: TestServer[]
beforeEach(async () => {
  home = await createTempDir()
  servers = []
})
afterEach(async () => {
  await Promise.all(servers.map((each) => each[Symbol.asyncDispose]()))
})

/** A server that answers everything with the same words, after `hold`; several have one home. */
async function serving(hold = gate()): Promise<TestServer> {
  const script = Array.from({ length: 2 * MANY }, () => step(says('Half', hold, ' done.')))
  const server = await openServer({ models: scriptedModel(script).models, home })
  servers.push(server)
  return server
}

const message = (chat: string, id: string): Json => ({
  id: chat,
  messages: [{ id, role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
})

function many<T>(act: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: MANY }, (_none, index) => act(index)))
}

/** How each run stands in the file, and what its log ends with. */
function storedRuns(): Promise<{ status: string; last: string }[]> {
  const last = sql`SELECT body FROM run_entries WHERE run = num ORDER BY seq DESC LIMIT 1`
  return queryHome(home, sql`SELECT status, (${last}) AS last FROM runs JOIN run_states USING (num)`)
}

describe('many concurrent starts', () => {
  it('of one message are one run in both processes', async () => {
    const hold = gate()
    const [here, there] = [await serving(hold), await serving(hold)]

    const responses = many((index) =>
      ask((index % 2 ? here : there).url, {
        method: 'POST',
        path: '/jobs/chat',
        body: message('chat-1', 'm1'),
      }),
    )
    await expect.poll(async () => (await storedRuns()).length, { interval: 5 }).toBe(1)
    hold.open()

    expect(new Set((await responses).map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set((await responses).map(({ headers }) => headers['x-run-id'])).size).toBe(1)
    const texts = (await responses).map(({ text }) => withoutBeats(Buffer.from(text)).toString())
    expect(new Set(texts).size).toBe(1)
    expect(await storedRuns()).toMatchObject([{ status: 'finished' }])
  })

  it('in one thread are one run, which the rejections name', async () => {
    const [here, there] = [await serving(), await serving()]

    const responses = await many((index) =>
      client(index % 2 ? here : there).post(
        '/jobs/chat',
        chatRequest('go', { conversationId: 'chat-1', policy: 'reject' }),
      ),
    )

    const accepted = responses.filter(({ status }) => status === 200)
    const busy = responses.filter(({ status }) => status === 409)
    expect([accepted.length, busy.length]).toEqual([1, MANY - 1])
    const run = accepted[0]?.headers.get('x-run-id')
    for (const each of busy) expect(await each.json()).toMatchObject({ code: 'thread-busy', runId: run })
    expect(await storedRuns()).toMatchObject([{ status: 'running' }])
  })

  it.each([0, 20, 50, 100, 200, 400])(
    'while the server closes (after %i turns) are rejected, or continued by the next server',
    async (turns) => {
      const server = await serving()

      const responses = many((index) => {
        const body = chatRequest('go', { conversationId: `c${index}` })
        // Whoever comes when the door is shut hears nothing.
        return ask(server.url, { method: 'POST', path: '/jobs/chat', body }).catch(() => undefined)
      })
      for (let turn = 0; turn < turns; turn++) await setImmediate()
      servers = []
      await server[Symbol.asyncDispose]()

      // Whoever was reading is broken off, and knows by it that this was not the end.
      for (const { status, text } of (await responses).filter((answer) => answer !== undefined))
        expect(status, text).toBe(503)
      const endedRuns = await storedRuns()
      for (const { status } of endedRuns) expect(status).toBe('running')

      const opened = gate()
      opened.open()
      await serving(opened)
      await expect
        .poll(async () => (await storedRuns()).filter(({ status }) => status === 'finished'))
        .toHaveLength(endedRuns.length)
    },
  )
})

/** A trigger that refuses claims. */
const FULL: Readonly<Record<DialectName, readonly string[]>> = {
  sqlite: [
    `CREATE TRIGGER is_full BEFORE UPDATE ON run_states WHEN new.owner IS NOT NULL
     BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  ],
  postgres: [
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
     AS $$ BEGIN RAISE EXCEPTION 'disk full' USING ERRCODE = 'disk_full'; END $$`,
    `CREATE TRIGGER is_full BEFORE UPDATE ON run_states FOR EACH ROW WHEN (new.owner IS NOT NULL)
     EXECUTE FUNCTION refuse()`,
  ],
}

describe('an admitted start that cannot be claimed', () => {
  it('reports a failure, and runs once the file is writable', async () => {
    const hold = gate()
    hold.open()
    const server = await serving(hold)
    const db = await openHomeDatabase(home)
    for (const statement of FULL[dialectOf(db)]) await sql.raw(statement).execute(db)
    const start = { method: 'POST', path: '/jobs/chat', body: message('chat-1', 'm1') } as const

    const refused = await ask(server.url, start).catch((error: unknown) => error)
    await sql.raw(`DROP TRIGGER is_full${dialectOf(db) === 'postgres' ? ' ON run_states' : ''}`).execute(db)
    await db.destroy()
    const again = await ask(server.url, start)

    // PostgreSQL refuses after the beat that begins the answer, so the answer breaks off.
    const failure = { status: 503, json: { code: 'unavailable' } }
    expect(refused).toMatchObject(isOnPostgres ? { message: 'aborted' } : failure)
    expect(again.status).toBe(200)
    expect(again.text).toContain(' done.')
    expect(await storedRuns()).toMatchObject([{ status: 'finished' }])
  })
})
