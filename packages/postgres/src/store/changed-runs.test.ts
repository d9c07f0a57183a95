import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

import { newRun } from '../../../dragoman/src/log/store.contract.ts'
import { openPostgres } from '../index.ts'
import { createTestDatabase, hasServer } from '../postgres.fixture.ts'

/** A transaction with a number, open until the session ends. */
async function openTransaction(url: string): Promise<Client> {
  const session = new Client(url)
  await session.connect()
  await session.query('BEGIN')
  await session.query('SELECT pg_current_xact_id()')
  return session
}

describe.runIf(hasServer)('changed runs', () => {
  it('wait for open transactions of their own database only, and those of one user for none', async () => {
    const [own, other] = [await createTestDatabase(), await createTestDatabase({ isEmpty: true })]
    const { store, close } = await openPostgres(own.url)
    onTestFinished(async () => {
      await close()
      await own.drop()
      await other.drop()
    })
    const ids = async (): Promise<string[]> => (await store.changed(undefined, 10)).runs.map(({ id }) => id)
    const elsewhere = await openTransaction(other.url)
    await store.create(newRun('run_1'), 'queue')
    await expect.poll(ids).toEqual(['run_1'])

    const here = await openTransaction(own.url)
    await store.create(newRun('run_2'), 'queue')
    // What has just ended elsewhere may hold it up for a moment.
    await expect.poll(ids).toEqual(['run_1'])
    const ofUser = await store.changed(undefined, 10, { userId: newRun('run_2').userId })
    expect(ofUser.runs.map(({ id }) => id)).toEqual(['run_1', 'run_2'])

    await here.end()
    await expect.poll(ids).toEqual(['run_1', 'run_2'])
    await elsewhere.end()
  })
})
