import { link, mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { nanoid } from 'nanoid'

import { ServiceError } from '../errors.ts'

/**
 * Creates the database file of a home, if it is missing, with owner-only access. Returns its path. The file appears
 * with its first page, so an empty one has lost what it held.
 */
export async function createDatabaseFile(home: string): Promise<string> {
  const file = databasePath(home)
  await mkdir(home, { recursive: true, mode: 0o700 })
  if ((await sizeOf(file)) !== undefined) return file
  const temporary = `${file}.${nanoid(6)}`
  // SQLite gives its other files the mode of this one.
  await (await open(temporary, 'wx', 0o600)).close()
  try {
    const sqlite = new DatabaseSync(temporary)
    sqlite.exec('PRAGMA journal_mode = WAL')
    sqlite.close()
    await link(temporary, file)
  } catch (error) {
    // Of two processes that create the file at once, the first one's counts.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(temporary, { force: true })
  }
  return file
}

/** The error for a home whose database cannot be opened. */
export function unusableDatabaseError(home: string, cause: unknown): ServiceError {
  return new ServiceError(
    'unavailable',
    `${databasePath(home)} cannot be used: ${innermostMessage(cause)}.`,
    { cause },
  )
}

/** The path of a home's database. */
export function databasePath(home: string): string {
  return join(home, 'dragoman.db')
}

/**
 * Returns the problem with a database that was copied from a running server without its `-wal` file, or
 * undefined. It reads the header, so call it before the file is opened. (A copy that has a log's mark is refused: see
 * `findWalDamage`.) https://www.sqlite.org/fileformat.html#the_database_header
 */
export async function findMissingWal(file: string): Promise<string | undefined> {
  const [size = 0, logSize = 0] = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)])
  if (size < HEADER_BYTES || logSize > 0) return undefined
  const header = await headerOf(file)
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const isWal = header.toString('latin1', 0, MAGIC.length) === MAGIC && header[18] === 2
  if (!isWal || size > pageBytes) return undefined
  return (
    `${file} lacks its contents: they were in ${file}-wal, which is missing. It was probably copied ` +
    'from a running server. Copy with dragoman backup.'
  )
}

const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'

async function headerOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    return (await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)).buffer
  } finally {
    await handle.close()
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  )
}

function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message.replace(/\.$/, '') : innermostMessage(error.cause)
}
