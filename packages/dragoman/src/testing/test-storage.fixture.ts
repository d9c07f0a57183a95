import { DatabaseSync } from 'node:sqlite'

import { migrate, type Database, type Migration } from '../database/index.ts'
import { toDatabase } from '../database/open-database.ts'
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

/**
 * Storage for one test: in memory, or in PostgreSQL with `DRAGOMAN_TEST_DATABASE=postgres`. It has the tables of
 * `migrations`, or in PostgreSQL those of all agents.
 */
export async function openTestStorage(migrations: readonly Migration[] = []): Promise<TestStorage> {
  if (isOnPostgres) return (await postgres()).openTestStorage()
  const database = await openMemory(migrations)
  const close = (): Promise<void> => database.destroy()
  return { store: memoryStore(), notifier: memoryNotifier(), database, close }
}

/** A database for the rows of one test, with the tables of `openTestStorage`. `destroy` drops it. */
export async function openTestDatabase(migrations: readonly Migration[] = []): Promise<Database> {
  return isOnPostgres ? (await postgres()).openTestDatabase() : openMemory(migrations)
}

/** Databases in memory by their migrations. To load one takes a fraction of the time of its migrations. */
const images = new Map<string, Uint8Array>()

async function openMemory(migrations: readonly Migration[]): Promise<Database> {
  const sqlite = new DatabaseSync(':memory:')
  const database = toDatabase(sqlite)
  const key = JSON.stringify(migrations)
  const image = images.get(key)
  if (image) {
    sqlite.deserialize(image)
  } else {
    await migrate(database, migrations)
    images.set(key, sqlite.serialize())
  }
  return database
}

function postgres() {
  return import('../../../postgres/src/postgres.fixture.ts')
}
