import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { migrate, openDatabase, type Migration } from 'dragoman/database'
import { isServiceError } from 'dragoman/errors'
import type { Store } from 'dragoman/stores'
import { openSqlite } from 'dragoman/stores/sqlite'
import { openPostgres } from '../index.ts'
import { createTestDatabase } from '../postgres.fixture.ts'
import { importHome, type ImportOptions } from './index.ts'

const ALL = 1_000_000

/** All that readers get of a store: its runs in the order of their changes, and their logs. */
export async function contentOf(store: Store): Promise<unknown[]> {
  const { runs } = await store.changed(undefined, ALL)
  return Promise.all(
    runs.map(async ({ id }) => {
      const run = await store.get(id)
      if (!run) throw new Error(`There is no run ${id}.`)
      const read = (what: object) =>
        store.read(run.id, 0, { limit: ALL, ...what }).catch((error: unknown) => {
          if (isServiceError(error, 'log-pruned')) return error.message
          throw error
        })
      const found = await store.find(run.userId, `key:${run.id}`)
      return { run, found: found?.id, log: await read({}), joined: await read({ joined: true }) }
    }),
  )
}

/** A home in a new folder, and a database into which a test moves it. */
export type ImportTest = Awaited<ReturnType<typeof openImportTest>>

export async function openImportTest() {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  const file = join(folder, 'dragoman.db')
  const database = await createTestDatabase({ isEmpty: true })
  const withHome = async <T>(act: (store: Store) => Promise<T>): Promise<T> => {
    const { store } = openSqlite(file)
    try {
      return await act(store)
    } finally {
      await store[Symbol.asyncDispose]()
    }
  }
  return {
    database,
    /** Does something with the log of the home. */
    withHome,
    /** Does something with the log in PostgreSQL. */
    async withTarget<T>(act: (store: Store) => Promise<T>): Promise<T> {
      const { store, close } = await openPostgres(database.url)
      try {
        return await act(store)
      } finally {
        await close()
      }
    },
    /** Creates tables in the home, and rows in them. */
    async withRows(migrations: readonly Migration[], statements: string): Promise<void> {
      await withHome((store) => store.ping())
      const db = openDatabase(file)
      await migrate(db, migrations)
      await db.destroy()
      const sqlite = new DatabaseSync(file)
      sqlite.exec(statements)
      sqlite.close()
    },
    move: (more: Partial<ImportOptions> = {}) =>
      importHome({
        file,
        url: database.url,
        migrations: [],
        complete: async () => undefined,
        report: () => undefined,
        ...more,
      }),
    /** The rows that a statement returns from PostgreSQL. */
    async rowsOf(statement: string): Promise<unknown[]> {
      const rows: unknown[] = []
      await database.query(statement, (row) => rows.push(row))
      return rows
    },
    async close(): Promise<void> {
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}
