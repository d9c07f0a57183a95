import { openDatabase, type Database } from '../database/index.ts'
import type { Notifier, Store } from '../log/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'

/** Whether all tests that can run on PostgreSQL do so. Each database is new there and is dropped at its end. */
export const isOnPostgres =
  process.env['DRAGOMAN_TEST_DATABASE'] === 'postgres' ||
  process.env['DRAGOMAN_TEST_DATABASE_URL'] !== undefined

export type TestStorage = {
  readonly store: Store
  readonly notifier: Notifier
  readonly database: Database
  readonly close: () => Promise<void>
}

/** Storage for one test: in memory, or in PostgreSQL with `DRAGOMAN_TEST_DATABASE=postgres`. */
export async function openTestStorage(): Promise<TestStorage> {
  if (isOnPostgres) return (await postgres()).openTestStorage()
  const database = openDatabase(':memory:')
  const close = (): Promise<void> => database.destroy()
  return { store: memoryStore(), notifier: memoryNotifier(), database, close }
}

/** An empty database for the rows of one test. `destroy` drops it. */
export async function openTestDatabase(): Promise<Database> {
  return isOnPostgres ? (await postgres()).openTestDatabase() : openDatabase(':memory:')
}

function postgres() {
  return import('../../../postgres/src/postgres.fixture.ts')
}
