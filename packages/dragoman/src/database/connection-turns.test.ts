import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { createTempDir } from '../../../../test/support/create-temp-dir.ts'
import { workFor } from '../async/index.ts'
import { openDatabase } from './open-database.ts'

const QUERIES = 200

describe('the connection of a database', () => {
  it('is a user’s in turn, whatever another one asks for', async () => {
    const db = openDatabase(':memory:')
    const order: string[] = []
    const ask = (user: string): Promise<void> =>
      workFor(user, async () => {
        await sql`SELECT 1`.execute(db)
        order.push(user)
      })
    const ofAda = Array.from({ length: QUERIES }, () => ask('ada'))
    await workFor('bob', async () => {
      await ask('bob')
      await db.transaction().execute((trx) => sql`SELECT 1`.execute(trx))
    })
    order.push('bob')
    await Promise.all(ofAda)

    expect(order.lastIndexOf('bob')).toBeLessThan(10)
    await db.destroy()
  })

  it('lets the event loop turn between queries', async () => {
    const db = openDatabase(':memory:')
    const slow = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      SELECT max(i) FROM n`
    let open = QUERIES
    const ask = async (): Promise<void> => {
      await slow.execute(db)
      open -= 1
    }
    const all = Promise.all(Array.from({ length: QUERIES }, ask))
    let turns = 0
    for (; open > 0; turns += 1) await turn()
    await all

    expect(turns).toBeGreaterThan(2)
    await db.destroy()
  })

  it('lets others read while a transaction waits for another process', async () => {
    const file = join(await createTempDir(), 'a.db')
    const db = openDatabase(file)
    await sql`CREATE TABLE rolls (value INTEGER)`.execute(db)
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    const insertion = sql`INSERT INTO rolls VALUES (6)`
    const writing = db.transaction().execute((trx) => insertion.execute(trx))
    const alone = insertion.execute(db)
    const count = async () =>
      (await sql<{ n: number }>`SELECT count(*) AS n FROM rolls`.execute(db)).rows[0]?.n

    expect(await count()).toBe(0)
    other.exec('COMMIT')
    await Promise.all([writing, alone])
    expect(await count()).toBe(2)
    other.close()
    await db.destroy()
  })

  it('writes nothing on the line of readers', async () => {
    const db = openDatabase(join(await createTempDir(), 'a.db'))
    await sql`CREATE TABLE rolls (value INTEGER)`.execute(db)
    const { rows } = await sql`INSERT INTO rolls VALUES (6) RETURNING value`.execute(db)
    const added = await sql`WITH more (value) AS (SELECT 5) INSERT INTO rolls SELECT value FROM more`.execute(
      db,
    )

    expect([rows, added.numAffectedRows]).toEqual([[{ value: 6 }], 1n])
    await db.destroy()
  })

  it('is free again after a query that fails, and after a transaction that fails', async () => {
    const db = openDatabase(':memory:')
    await expect(sql`SELECT nothing`.execute(db)).rejects.toThrow('nothing')
    await expect(db.transaction().execute(() => Promise.reject(new Error('no')))).rejects.toThrow('no')

    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }])
    await db.destroy()
  })
})
