import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { repeatWhileAway } from '../../../dragoman/src/database/index.ts'
import { openPostgres, type PostgresStorage } from '../index.ts'
import { createTestDatabase, hasServer, type TestDatabase } from '../postgres.fixture.ts'
import { openTcpProxy, type TcpProxy } from '../tcp-proxy.fixture.ts'

type Tables = { readonly words: { readonly word: string } }

describe.runIf(hasServer)('a transaction that a lost connection cuts off', () => {
  let database: TestDatabase
  let proxy: TcpProxy
  let node: PostgresStorage
  beforeEach(async () => {
    database = await createTestDatabase()
    await database.query('CREATE TABLE words (word text PRIMARY KEY)')
    proxy = await openTcpProxy(database.url)
    node = await openPostgres(proxy.url)
  })
  afterEach(async () => {
    await node.close()
    await proxy.close()
    await database.drop()
  })

  it('is repeated where it may be', async () => {
    const db = node.database.withTables<Tables>()
    let attempts = 0
    await repeatWhileAway(() =>
      db.transaction().execute(async (trx) => {
        attempts += 1
        if (attempts === 1) proxy.cut('both')
        await trx.insertInto('words').values({ word: 'once' }).execute()
      }),
    )

    expect(attempts).toBe(2)
    expect(await db.selectFrom('words').selectAll().execute()).toEqual([{ word: 'once' }])
  })

  it('is not repeated for another error', async () => {
    const db = node.database.withTables<Tables>()
    const fail = (): Promise<unknown> =>
      repeatWhileAway(() =>
        db
          .selectFrom('words')
          .select('none' as 'word')
          .execute(),
      )
    await expect(fail()).rejects.toThrow('does not exist')
  })

  it('is rolled back 5 s after its process froze, and others get its locks', async () => {
    const db = node.database.withTables<Tables>()
    await db.insertInto('words').values({ word: 'one' }).execute()
    const change = (tables: typeof db, word: string) => tables.updateTable('words').set({ word }).execute()
    const frozen = Promise.withResolvers<void>()
    const thaw = Promise.withResolvers<void>()
    const transaction = db.transaction().execute(async (trx) => {
      await change(trx, 'lost')
      frozen.resolve()
      await thaw.promise
      await change(trx, 'late')
    })
    await frozen.promise

    await change(db, 'two')

    thaw.resolve()
    await expect(transaction).rejects.toMatchObject({ code: 'unavailable' })
    expect(await db.selectFrom('words').selectAll().execute()).toEqual([{ word: 'two' }])
  })
})
