import { readdir } from 'node:fs/promises'

import type { Command } from 'commander'

import type { ImportProgress, ImportResult } from '@dragoman/postgres/import'
import {
  databasePath,
  findMissingWal,
  refuseDamagedWal,
  isOpenElsewhere,
  migrate,
  openDatabase,
  refuseNewerDatabase,
  tableVersion,
  unusableDatabaseError,
  type Database,
  type Migration,
} from 'dragoman/database'
import { isServiceError, ServiceError } from 'dragoman/errors'
import type { AgentFactory } from 'dragoman/modules'
import { collectMigrations, completeImport } from 'dragoman/server'
import { openSqlite } from 'dragoman/stores/sqlite'
import { bundledAgents } from '../main.ts'
import { reasonOf } from './doctor/finding.ts'
import { homeOption, newCommand } from './new-command.ts'
import { printTable } from './print-table.ts'
import { readHome } from './read-home.ts'
import { sizeOf } from './replace-file.ts'

const PROGRESS_INTERVAL_MS = 1000

type MigrateOptions = { readonly to: string; readonly home?: string }

export function migrateCommand(agents: readonly AgentFactory[] = bundledAgents): Command {
  return newCommand('migrate')
    .description('Moves the database of a home, on which no server runs, into an empty one of PostgreSQL.')
    .requiredOption('--to <URL>', 'postgres://USER@HOST/DATABASE')
    .addOption(homeOption())
    .action(({ to, ...options }: MigrateOptions) => migrateHome(to, readHome(options), agents))
}

/** Moves the database and verifies each row. */
async function migrateHome(to: string, home: string, agents: readonly AgentFactory[]): Promise<void> {
  const place = placeOf(to)
  const file = databasePath(home)
  const migrations = collectMigrations(agents)
  await prepareHome(home, { file, migrations, agents })
  const { importHome } = await import('@dragoman/postgres/import')
  const result = await importHome({
    file,
    url: to,
    migrations,
    complete: (db) => completeImport(db, home, agents),
    report: progressLines(),
  }).catch((cause: unknown) => {
    if (isServiceError(cause) && cause.code !== 'unavailable') throw cause
    const sentence = `The home cannot be moved into ${place}: ${reasonOf(cause)}. Nothing was moved.`
    throw new ServiceError('unavailable', sentence, { cause })
  })
  printTable([
    ['TABLE', 'ROWS', 'VERIFIED'],
    ...result.tables.map(({ table, rows }) => [table, String(rows), String(rows)]),
  ])
  await sayWhatIsLeft(home, place, result)
}

/** The database without its password. @throws ServiceError `invalid-request` for a URL of another database */
function placeOf(to: string): string {
  const url = URL.parse(to)
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new ServiceError(
      'invalid-request',
      '--to must be a URL of PostgreSQL, like postgres://USER@HOST/DATABASE.',
    )
  return `${url.host}${url.pathname}`
}

type Preparation = {
  readonly file: string
  readonly migrations: readonly Migration[]
  readonly agents: readonly AgentFactory[]
}

/** Brings the tables of the home up to this version, as its next server would. @throws ServiceError if it cannot */
async function prepareHome(home: string, { file, migrations, agents }: Preparation): Promise<void> {
  if (!(await sizeOf(file))) throw new ServiceError('not-found', `There is no database in ${home}.`)
  const problem = await findMissingWal(file)
  if (problem !== undefined) throw new ServiceError('conflict', problem)
  await refuseDamagedWal(file).catch((cause: unknown) => {
    throw unusableDatabaseError(home, cause)
  })
  if (isOpenElsewhere(file))
    throw new ServiceError(
      'conflict',
      `A server runs on ${home}, or another program has its database open: stop it first.`,
    )
  try {
    refuseNewerDatabase(file, tableVersion(migrations, agents))
    await upgrade(file, migrations)
  } catch (cause) {
    throw unusableDatabaseError(home, cause)
  }
}

async function upgrade(file: string, migrations: readonly Migration[]): Promise<void> {
  const { store } = openSqlite(file)
  let db: Database | undefined
  try {
    await store.ping()
    db = openDatabase(file)
    await migrate(db, migrations)
  } finally {
    await db?.destroy()
    await store[Symbol.asyncDispose]()
  }
}

/** One line a second, and one at the end of each table. */
function progressLines(): (progress: ImportProgress) => void {
  let last = -Infinity
  return ({ step, table, rows, count }) => {
    const now = performance.now()
    if (rows < count && now - last < PROGRESS_INTERVAL_MS) return
    last = now
    process.stderr.write(`${step} ${table}: ${rows} of ${count} rows\n`)
  }
}

async function sayWhatIsLeft(
  home: string,
  place: string,
  { nulRows, strangers }: ImportResult,
): Promise<void> {
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
  if (nulRows > 0)
    say(`Rows with a character U+0000, which PostgreSQL cannot store and which is now U+FFFD: ${nulRows}.`)
  if (strangers.length > 0)
    say(`Not moved, because no agent of this server has these tables: ${strangers.join(', ')}.`)
  say(`The database of ${home} is now in ${place}. Set DATABASE_URL and start the server.`)
  say('A server on the home without DATABASE_URL would do the runs that had not ended a second time.')
  const files = (await readdir(home))
    .filter((name) => !/^dragoman\.db|^(?:guest|mcp)-key$/.test(name))
    .toSorted()
  if (files.length > 0) say(`Servers still read these files of the home: ${files.join(', ')}.`)
}
