import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql, type RawBuilder } from 'kysely'

import {
  createDatabaseFile,
  openDatabase,
  type Database,
} from '../../packages/dragoman/src/database/index.ts'
import type { Notifier, Store } from '../../packages/dragoman/src/log/index.ts'
import { openSqlite } from '../../packages/dragoman/src/stores/sqlite/index.ts'
import { isOnPostgres } from '../../packages/dragoman/src/testing/test-storage.fixture.ts'

/** What is stored for a home. `close` keeps it. */
export type HomeStorage = {
  readonly store: Store
  readonly notifier: Notifier
  readonly database: Database
  readonly close: () => Promise<void>
}

/**
 * Opens what is stored for a home as another process does: a server may run on it. Where tests run on PostgreSQL, each
 * home has a database there.
 */
export async function openHomeStorage(home: string): Promise<HomeStorage> {
  if (isOnPostgres) {
    const { openPostgres } = await import('../../packages/postgres/src/index.ts')
    return openPostgres(await homeDatabaseUrl(home))
  }
  const file = await createDatabaseFile(home)
  const { store, notifier } = openSqlite(file)
  const database = openDatabase(file)
  const close = async (): Promise<void> => {
    await database.destroy()
    await store[Symbol.asyncDispose]()
  }
  return { store, notifier, database, close }
}

/** The same without its log. */
export async function openHomeDatabase(home: string): Promise<Database> {
  if (!isOnPostgres) return openDatabase(await createDatabaseFile(home))
  return (await fixture()).openDatabaseAt(await homeDatabaseUrl(home))
}

/** The rows that a query finds in what is stored for a home. */
export async function queryHome<Row>(home: string, query: RawBuilder<Row>): Promise<Row[]> {
  const database = await openHomeDatabase(home)
  try {
    return (await query.execute(database)).rows
  } finally {
    await database.destroy()
  }
}

/** All that is stored for a home, as it stands there: the bytes of the file, or the rows of all tables. */
export async function readStored(home: string): Promise<string> {
  if (!isOnPostgres) {
    const files = (await readdir(home)).filter((name) => name.startsWith('dragoman.db'))
    return (await Promise.all(files.map((name) => readFile(join(home, name), 'utf8')))).join('')
  }
  const database = await openHomeDatabase(home)
  try {
    const texts: string[] = []
    for (const { name } of await database.introspection.getTables()) {
      const { rows } = await sql<{
        text: string
      }>`SELECT each::text AS text FROM ${sql.table(name)} AS each`.execute(database)
      texts.push(name, ...rows.map(({ text }) => text))
    }
    return texts.join('\n')
  } finally {
    await database.destroy()
  }
}

/** The URL of a home's database in PostgreSQL, which is created at first use. */
export async function homeDatabaseUrl(home: string): Promise<string> {
  return (await fixture()).openNamedDatabase(nameOf(home))
}

/** Drops what a home has in PostgreSQL. */
export async function dropHomeDatabase(home: string): Promise<void> {
  if (isOnPostgres) await (await fixture()).dropNamedDatabase(nameOf(home))
}

function nameOf(home: string): string {
  return `dragoman_home_${createHash('sha256').update(home).digest('hex').slice(0, 20)}`
}

function fixture() {
  return import('../../packages/postgres/src/postgres.fixture.ts')
}
