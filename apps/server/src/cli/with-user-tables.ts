import {
  createDatabaseFile,
  databasePath,
  migrate,
  openDatabase,
  refuseDamagedWal,
  refuseNewerDatabase,
  unusableDatabaseError,
  type Database,
  type Migration,
} from 'dragoman/database'
import type { Store } from 'dragoman/stores'
import { userMigrations } from 'dragoman/users'

import { openStorage } from '../open-storage.ts'
import { bundledTables, refuseNewerStorage } from './bundled-tables.ts'
import { readHome } from './read-home.ts'

export type HomeOptions = { readonly home?: string }

/**
 * Does something with the tables of users, or of other migrations, also while a server runs: those of the database of
 * `DATABASE_URL`, with its store of runs, or of the home. @throws ServiceError `unavailable`
 */
export async function withUserTables(
  options: HomeOptions,
  act: (db: Database, shared: Store | undefined) => Promise<void>,
  migrations: readonly Migration[] = userMigrations,
): Promise<void> {
  const { db, store, close } = await openTables(readHome(options), migrations)
  try {
    await act(db, store)
  } finally {
    await close()
  }
}

type OpenTables = {
  readonly db: Database
  readonly store?: Store | undefined
  readonly close: () => Promise<void>
}

async function openTables(home: string, migrations: readonly Migration[]): Promise<OpenTables> {
  const storage = await openStorage({ env: process.env })
  if (!storage?.database) {
    const db = await openHomeTables(home, migrations)
    return { db, close: () => db.destroy() }
  }
  try {
    await refuseNewerStorage(storage.database)
    await migrate(storage.database, migrations)
  } catch (error) {
    await storage.close()
    throw error
  }
  return { db: storage.database, store: storage.store, close: storage.close }
}

async function openHomeTables(home: string, migrations: readonly Migration[]): Promise<Database> {
  let db: Database | undefined
  try {
    const file = databasePath(home)
    await refuseDamagedWal(file)
    await createDatabaseFile(home)
    refuseNewerDatabase(file, bundledTables)
    db = openDatabase(file)
    await migrate(db, migrations)
    return db
  } catch (cause) {
    await db?.destroy()
    throw unusableDatabaseError(home, cause)
  }
}
