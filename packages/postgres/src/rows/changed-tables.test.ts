import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { newRun } from '../../../dragoman/src/log/store.contract.ts'
import { migrate } from 'dragoman/database'
import { openPostgres, type PostgresStorage } from '../index.ts'
import { createTestDatabase, hasServer, type TestDatabase } from '../postgres.fixture.ts'

type Tables = { readonly words: { readonly word: string } }

/** How many connections may have planned a statement before. */
const USES = 8

/** Requests for locks that are not granted. */
const WAITING = `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
  WHERE datname = current_database() AND NOT granted`

describe.runIf(hasServer)('a node while one of a newer version adds columns', () => {
  let database: TestDatabase
  let node: PostgresStorage
  const all = () => node.database.withTables<Tables>().selectFrom('words').selectAll().execute()
  const inTransaction = () =>
    node.database
      .withTables<Tables>()
      .transaction()
      .execute((trx) => trx.selectFrom('words').selectAll().execute())
  beforeEach(async () => {
    database = await createTestDatabase()
    await database.query(`CREATE TABLE words (word text PRIMARY KEY); INSERT INTO words VALUES ('one')`)
    node = await openPostgres(database.url)
  })
  afterEach(async () => {
    await node.close()
    await database.drop()
  })

  it('reads rows on', async () => {
    await Promise.all(Array.from({ length: USES }, all))

    await database.query(`ALTER TABLE words ADD COLUMN length int NOT NULL DEFAULT 3`)

    const read = await Promise.all(Array.from({ length: USES }, all))
    expect(read).toEqual(Array.from({ length: USES }, () => [{ word: 'one', length: 3 }]))
  })

  it('fails one transaction as unavailable, and the next one succeeds', async () => {
    await inTransaction()
    await database.query(`ALTER TABLE words ADD COLUMN length int NOT NULL DEFAULT 3`)

    await expect(inTransaction()).rejects.toMatchObject({ code: 'unavailable' })
    expect(await inTransaction()).toEqual([{ word: 'one', length: 3 }])
  })

  it('gives way to a transaction that waits for it', async () => {
    await database.query('CREATE TABLE others (word text)')
    const newer = await openPostgres(database.url)
    const add = (table: string) => `ALTER TABLE ${table} ADD COLUMN length int NOT NULL DEFAULT 3`
    // The transaction waits first, so it would be the one that is given up in the deadlock.
    const waitForWaiter = `DO $$ BEGIN FOR _ IN 1..500 LOOP
      EXIT WHEN EXISTS (${WAITING}); PERFORM pg_sleep(0.01); END LOOP; END $$`
    const statements = [add('others'), waitForWaiter, add('words')]
    const tables = node.database.withTables<Tables & { readonly others: { readonly word: string } }>()
    let migrating: Promise<void> | undefined
    const read = await tables.transaction().execute(async (trx) => {
      await trx.selectFrom('words').selectAll().execute()
      migrating = migrate(newer.database, [{ name: 'newer-1', statements }])
      const isChanging = sql`SELECT FROM pg_locks WHERE relation = 'others'::regclass AND granted`
      await expect.poll(async () => (await isChanging.execute(trx)).rows.length).toBeGreaterThan(0)
      return trx.selectFrom('others').selectAll().execute()
    })

    await migrating
    expect(read).toEqual([])
    expect(await all()).toEqual([{ word: 'one', length: 3 }])
    await newer.close()
  })

  it('repeats a read that was given up in a deadlock with it', async () => {
    await database.query(`CREATE TABLE others (word text);
      CREATE FUNCTION read_others() RETURNS bool LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_lock(1); PERFORM FROM others; RETURN true; END $$`)
    const [newer, gate] = [new Client(database.url), new Client(database.url)]
    await Promise.all([newer.connect(), gate.connect()])
    await gate.query('SELECT pg_advisory_lock(1)')
    // Only the node's session looks for deadlocks, so it is the one that gives up.
    await newer.query(`SET deadlock_timeout = '1h'; BEGIN; LOCK TABLE others IN ACCESS EXCLUSIVE MODE`)
    const waits = (count: number) =>
      expect.poll(async () => (await gate.query(WAITING)).rowCount, { timeout: 10_000 }).toBe(count)
    const reading = sql`SELECT word FROM words WHERE read_others()`.execute(node.database)
    await waits(1)
    const locked = newer.query('LOCK TABLE words IN ACCESS EXCLUSIVE MODE')
    await waits(2)

    await gate.query('SELECT pg_advisory_unlock(1)')
    await locked
    await newer.query('COMMIT')

    expect((await reading).rows).toEqual([{ word: 'one' }])
    await Promise.all([newer.end(), gate.end()])
  })

  it('writes and reads runs on', async () => {
    await node.store.create(newRun('run_1'), 'reject')
    await node.store.get('run_1')
    await node.store.read('run_1', 0)

    await database.query(`ALTER TABLE runs ADD COLUMN priority int; ALTER TABLE run_states ADD COLUMN note text;
      ALTER TABLE run_entries ADD COLUMN note text`)

    await node.store.create(newRun('run_2'), 'queue')
    expect(await node.store.get('run_1')).toMatchObject({ id: 'run_1' })
    expect(await node.store.get('run_2')).toMatchObject({ id: 'run_2', status: 'queued' })
    expect(await node.store.read('run_1', 0)).toHaveLength(1)
  })
})
