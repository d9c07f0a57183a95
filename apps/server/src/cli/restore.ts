import { mkdir, rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import type { Command } from 'commander'

import { copyDatabase, databasePath, isOpenElsewhere, refuseNewerDatabase } from 'dragoman/database'
import { isServiceError, ServiceError } from 'dragoman/errors'
import { databaseSource } from '../open-storage.ts'
import { interruptRuns } from 'dragoman/runs'
import { openSqlite } from 'dragoman/stores/sqlite'
import { bundledTables } from './bundled-tables.ts'
import { reasonOf } from './doctor/finding.ts'
import { homeOption, newCommand } from './new-command.ts'
import { readHome } from './read-home.ts'
import { SIDE_FILES, sizeOf, replaceFile } from './replace-file.ts'

const SHARED_USAGE =
  'With DATABASE_URL, restore the database with the tools of PostgreSQL, and say dragoman restore without a file.'

const DESCRIPTION =
  'Puts a backup into a home on which no server runs, and fails the runs that had not ended. With DATABASE_URL, ' +
  'whose own tools restore, it takes no file and does only the latter.'

type RestoreOptions = { readonly force?: boolean; readonly continueRuns?: boolean; readonly home?: string }

export function restoreCommand(): Command {
  return newCommand('restore')
    .description(DESCRIPTION)
    .argument('[FILE]', 'the backup')
    .option('--force', 'put the database that is there aside')
    .option('--continue-runs', 'continue the runs that had not ended')
    .addOption(homeOption())
    .action(restore)
}

async function restore(
  named: string | undefined,
  { force = false, continueRuns = false, ...options }: RestoreOptions,
): Promise<void> {
  const isShared = databaseSource(process.env) !== undefined
  const home = readHome(options)
  if (isShared && (named !== undefined || force || continueRuns))
    throw new ServiceError('invalid-request', SHARED_USAGE)
  if (isShared) return (await import('./restore-shared.ts')).restoreShared(process.env)
  if (named === undefined)
    throw new ServiceError(
      'invalid-request',
      'Name the backup: dragoman restore FILE. See dragoman restore --help.',
    )
  const [from, to] = [resolve(named), databasePath(home)]
  if (!(await sizeOf(from))) throw new ServiceError('not-found', `There is no backup ${from}.`)
  await mayBeReplaced(to, home, force)
  await mkdir(home, { recursive: true, mode: 0o700 })
  let replacedFile: string | undefined
  const ended = await replaceFile(
    to,
    (temporary) => madeReady(from, temporary, continueRuns),
    async () => {
      await mayBeReplaced(to, home, force)
      replacedFile = await moveAway(to)
    },
  ).catch((cause: unknown) => {
    if (isServiceError(cause)) throw cause
    throw new ServiceError('unavailable', `${from} cannot be restored: ${reasonOf(cause)}.`, { cause })
  })
  process.stderr.write(`${to} is restored from ${from}.\n`)
  if (replacedFile !== undefined)
    process.stderr.write(`The database that was there is now ${replacedFile}.\n`)
  if (ended > 0) process.stderr.write(`Runs that had not ended, and are now failed: ${ended}.\n`)
}

/** @throws ServiceError `conflict` if a database is there, and always if a server runs on it */
async function mayBeReplaced(file: string, home: string, force: boolean): Promise<void> {
  if (!(await sizeOf(file))) return
  if (!force)
    throw new ServiceError(
      'conflict',
      `There is a database in ${home}: stop its server, then put the old database aside with --force.`,
    )
  if (isOpenElsewhere(file))
    throw new ServiceError(
      'conflict',
      `A server runs on ${home}, or another program has its database open: stop it first.`,
    )
}

/** Copies and checks a backup, and ends its runs if they are not to go on. Gives how many it has ended. */
async function madeReady(from: string, to: string, goesOn: boolean): Promise<number> {
  await copyDatabase(from, to)
  refuseNewerDatabase(to, bundledTables)
  mustBeOurs(to)
  if (goesOn) return 0
  const { store } = openSqlite(to)
  try {
    return await interruptRuns(store)
  } finally {
    await store[Symbol.asyncDispose]()
  }
}

function mustBeOurs(file: string): void {
  const sqlite = new DatabaseSync(file)
  try {
    const tables = sqlite
      .prepare(
        "SELECT count(*) AS count FROM sqlite_schema WHERE name IN ('run_states', 'schema_migrations')",
      )
      .get()
    if (tables?.['count'] !== 2) throw new Error('it is no database of dragoman')
  } finally {
    sqlite.close()
  }
}

/** Keeps a database under another name, with the files that belong to it. Gives that name. */
async function moveAway(file: string): Promise<string | undefined> {
  const name = `${file}.replaced-${new Date().toISOString().replaceAll(':', '-')}`
  let bytes = 0
  for (const end of ['', ...SIDE_FILES]) {
    const size = await sizeOf(`${file}${end}`)
    if (size !== undefined) await rename(`${file}${end}`, `${name}${end}`)
    bytes += size ?? 0
  }
  return bytes > 0 ? name : undefined
}
