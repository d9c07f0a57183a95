import { openDatabase, type Database } from '../database/index.ts'
import type { Notifier, Store } from '../log/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'

/** Where tests run on a server of PostgreSQL, each database is new there and is dropped at its end. */
const SERVER_URL = process.env['DRAGOMAN_TEST_DATABASE_URL']

export type TestStorage = {
  readonly store: Store
  readonly notifier: Notifier
  readonly database: Database
  readonly close: () => Promise<void>
}

/** Storage for one test: in memory, or in PostgreSQL with `DRAGOMAN_TEST_DATABASE_URL`. */
export async function openTestStorage(): Promise<TestStorage> {
  if (SERVER_URL !== undefined) return (await postgres()).openTestStorage()
  const database = openDatabase(':memory:')
  const close = (): Promise<void> => database.destroy()
  return { store: memoryStore(), notifier: memoryNotifier(), database, close }
}

/** An empty database for the rows of one test. `destroy` drops it. */
export async function openTestDatabase(): Promise<Database> {
  return SERVER_URL === undefined ? openDatabase(':memory:') : (await postgres()).openTestDatabase()
}

function postgres() {
  return import('../../../postgres/src/postgres.fixture.ts')
}
