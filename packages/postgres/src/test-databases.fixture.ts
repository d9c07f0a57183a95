import { migrate } from '../../dragoman/src/database/index.ts'
import { collectMigrations } from '../../dragoman/src/server/index.ts'
import { createPool } from './client/pool.ts'
import { openPostgres } from './index.ts'

const TEMPLATE = 'dragoman_template'
const CONNECTIONS = 3

/** The databases of one test run on one server. */
export type TestDatabases = {
  /** Makes the database unless it is there. It has no tables, or those of the log and of the core. */
  readonly open: (name: string, isEmpty: boolean) => Promise<string>
  readonly drop: (name: string) => Promise<void>
  /** Drops what is left. */
  readonly close: () => Promise<void>
}

export async function createTestDatabases(serverUrl: string): Promise<TestDatabases> {
  const pool = createPool(serverUrl, CONNECTIONS)
  const opened = new Map<string, Promise<string>>()
  const create = async (name: string, template: string): Promise<string> => {
    // FILE_COPY takes half the time of WAL_LOG.
    await pool.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return url.href
  }
  const open = (name: string, template: string): Promise<string> => {
    const url = opened.get(name) ?? create(name, template)
    opened.set(name, url)
    return url
  }
  const drop = async (name: string): Promise<void> => {
    if (opened.delete(name)) await pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
  }
  const template = `${TEMPLATE}_${process.pid}`
  await createTables(await open(template, 'template1'))
  return {
    open: (name, isEmpty) => open(name, isEmpty ? 'template1' : template),
    drop,
    async close() {
      for (const name of opened.keys()) await drop(name)
      await pool.end()
    },
  }
}

/** A copy of the tables takes a tenth of the time that it takes to create them. */
async function createTables(url: string): Promise<void> {
  const { database, close } = await openPostgres(url)
  await migrate(database, collectMigrations([]))
  await close()
}
