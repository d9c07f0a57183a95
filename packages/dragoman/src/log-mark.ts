import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/**
 * What a server notes of its database, so that the next start finds out about a lost write-ahead log. A checkpoint is
 * noted with the `user_version` that it may have copied into the file. The next commit counts it up, and is in the log
 * alone. So a file that has a noted number and no log has lost its log. A program that folds the whole log by
 * SQLite makes the number a later one. And a log with a lower number than the file is older than the file.
 *
 * The mark counts until the machine starts again. Until then, what a process has written is in its files whatever
 * became of the process: only the end of the machine itself loses writes that were not synced.
 */
export type LogMark = {
  /** `user_version` at the last checkpoint that copied the whole log. */
  readonly first: number
  /** At the last checkpoint. One that readers are in the way of copies some pages and leaves others. */
  readonly last: number
}

/** Places in the header of a database file. https://www.sqlite.org/fileformat.html#the_database_header */
const USER_VERSION_AT = 60
/** The numbers go round. */
const NUMBERS = 2 ** 31

/** The mark of a database that was open since the machine started; undefined for another. */
export function readLogMark(file: string): LogMark | undefined {
  const boot = bootId()
  try {
    const [first, last, of] = readFileSync(markPath(file), 'latin1').split(' ')
    return of === boot && boot !== '' ? { first: Number(first), last: Number(last) } : undefined
  } catch {
    return undefined
  }
}

/**
 * Notes a checkpoint. Where the start of the machine has no name, as outside of Linux, nothing is noted. Nor is it on a
 * full disk: a mark that is old or missing says nothing.
 */
export function writeLogMark(file: string, { first, last }: LogMark): void {
  const boot = bootId()
  if (boot === '') return
  try {
    writeFileSync(markPath(file), `${first} ${last} ${boot}`, { mode: 0o600 })
  } catch {
    removeLogMark(file)
  }
}

export function removeLogMark(file: string): void {
  rmSync(markPath(file), { force: true })
}

/** The last connection that closes a database folds its log, and removes it. */
export function removeLogMarkIfFolded(file: string): void {
  if (!existsSync(`${file}-wal`)) removeLogMark(file)
}

/** `user_version` of a database, in the start of its first page. */
export function readNumber(page: Buffer): number {
  return page.readUInt32BE(USER_VERSION_AT)
}

export function nextNumber(number: number): number {
  return (number + 1) % NUMBERS
}

/** Whether a database file with this number lacks its log. */
export function isMarked(number: number, { first, last }: LogMark): boolean {
  return !isBefore(number, first) && !isBefore(last, number)
}

/** Whether `number` was given before `other`. */
export function isBefore(number: number, other: number): boolean {
  const distance = (other - number + NUMBERS) % NUMBERS
  return distance > 0 && distance < NUMBERS / 2
}

function markPath(file: string): string {
  return `${file}.mark`
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}
