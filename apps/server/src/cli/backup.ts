import { readdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { Command } from 'commander'

import { copyDatabase, databasePath } from 'dragoman/database'
import { isServiceError, ServiceError } from 'dragoman/errors'
import { reasonOf } from './doctor/finding.ts'
import { homeOption, newCommand } from './new-command.ts'
import { readHome } from './read-home.ts'
import { SIDE_FILES, sizeOf, replaceFile } from './replace-file.ts'

type BackupOptions = { readonly force?: boolean; readonly home?: string }

export function backupCommand(): Command {
  return newCommand('backup')
    .description('Copies the database of a home to one file. A server may run on the home, and goes on.')
    .argument('<FILE>', 'where to write the copy')
    .option('--force', 'replace the file if it exists')
    .addOption(homeOption())
    .action(backup)
}

async function backup(named: string, { force = false, ...options }: BackupOptions): Promise<void> {
  const home = readHome(options)
  const [from, to] = [databasePath(home), resolve(named)]
  if (!(await sizeOf(from))) throw new ServiceError('not-found', `There is no database in ${home}.`)
  await mayBeWritten(to, from, force)
  try {
    await replaceFile(
      to,
      (temporary) => copyDatabase(from, temporary),
      () => mayBeWritten(to, from, force),
    )
  } catch (cause) {
    if (isServiceError(cause)) throw cause
    throw new ServiceError('unavailable', `${from} cannot be backed up to ${to}: ${reasonOf(cause)}.`, {
      cause,
    })
  }
  const size = ((await stat(to)).size / 1024 ** 2).toFixed(1)
  process.stderr.write(`The database of ${home} is in ${to} (${size} MB).\n`)
  const others = (await readdir(home)).filter((name) => !name.startsWith('dragoman.db')).toSorted()
  if (others.length > 0) process.stderr.write(`Not in it, to be copied as files: ${others.join(', ')}.\n`)
}

/** @throws ServiceError `conflict` for a file that is there, and always for the database itself */
async function mayBeWritten(to: string, from: string, force: boolean): Promise<void> {
  const there = await stat(to).catch(() => undefined)
  if (!there) return
  const own = await Promise.all(
    ['', ...SIDE_FILES].map((end) => stat(`${from}${end}`).catch(() => undefined)),
  )
  if (own.some((each) => each?.ino === there.ino && each.dev === there.dev))
    throw new ServiceError('conflict', `${to} is the database itself: name another file.`)
  if (!force)
    throw new ServiceError('conflict', `${to} exists: name another file, or replace it with --force.`)
}
