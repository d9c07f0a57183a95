import { migrate, type Migration } from '../../dragoman/src/database/index.ts'
import { collectMigrations } from '../../dragoman/src/server/index.ts'
import { createPool } from './client/pool.ts'
import { openPostgres } from './index.ts'
import { createSharedDatabases, type SharedDatabases } from './shared-databases.fixture.ts'

const TEMPLATE = 'dragoman_template'
const CONNECTIONS = 3

/**
 * `shared` is a reused database with the tables of all agents, `new` a new one with the tables of the log and of the
 * core, `empty` a new one without tables.
 */
export type DatabaseKind = 'shared' | 'new' | 'empty'

/** The databases of one test run on one server. */
export type TestDatabases = {
  /** Makes the database unless it is there. */
  readonly open: (name: string, kind: DatabaseKind) => Promise<string>
  readonly drop: (name: string) => Promise<void>
  /** Drops what is left. */
  readonly close: () => Promise<void>
}

/** `loadMigrations` loads the migrations of all agents. */
export async function createTestDatabases(
  serverUrl: string,
  loadMigrations: () => Promise<readonly Migration[]>,
): Promise<TestDatabases> {
  const pool = createPool(serverUrl, CONNECTIONS)
  const opened = new Map<string, Promise<string>>()
  const urlOf = (name: string): string => {
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return url.href
  }
  const create = async (name: string, template: string): Promise<string> => {
    // FILE_COPY takes half the time of WAL_LOG.
    await pool.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
    return urlOf(name)
  }
  const open = (name: string, template: string): Promise<string> => {
    const url = opened.get(name) ?? create(name, template)
    opened.set(name, url)
    return url
  }
  const remove = async (name: string): Promise<void> => {
    await pool.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
  const drop = async (name: string): Promise<void> => {
    if (opened.delete(name)) await remove(name)
  }
  const template = `${TEMPLATE}_${process.pid}`
  await createTables(await open(template, 'template1'), [])
  const share = async (): Promise<SharedDatabases> => {
    const name = `${template}_agents`
    await createTables(await open(name, template), await loadMigrations())
    return createSharedDatabases({ urlOf, create, remove }, name)
  }
  let sharing: Promise<SharedDatabases> | undefined
  return {
    async open(name, kind) {
      if (kind !== 'shared') return open(name, kind === 'empty' ? 'template1' : template)
      return (await (sharing ??= share())).open(name)
    },
    async drop(name) {
      await drop(name)
      await (await sharing)?.drop(name)
    },
    async close() {
      await (await sharing)?.close()
      for (const name of opened.keys()) await drop(name)
      await pool.end()
    },
  }
}

/** A copy of the tables takes a tenth of the time that it takes to create them. */
async function createTables(url: string, migrations: readonly Migration[]): Promise<void> {
  const { database, close } = await openPostgres(url)
  await migrate(database, [...collectMigrations([]), ...migrations])
  await close()
}
