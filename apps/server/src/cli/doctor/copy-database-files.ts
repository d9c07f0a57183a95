import { constants, rmSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A check reads the whole file. For a larger file that takes minutes. */
export const MAX_CHECK_BYTES = 2 * 1024 ** 3
/** A server that runs may change the files while they are copied. */
const MAX_TRIES = 5

type Copy = Disposable & { readonly file: string | URL }

/**
 * A copy of a database. SQLite makes, changes and deletes files next to one that it opens, and a check must change
 * nothing. What is too large to be copied is read without its write-ahead log.
 */
export async function copyDatabaseFiles(file: string, size: number): Promise<Copy> {
  if (size > MAX_CHECK_BYTES) {
    const url = pathToFileURL(file)
    url.search = '?immutable=1'
    return { file: url, [Symbol.dispose]: () => undefined }
  }
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-doctor-'))
  const dispose = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'dragoman.db')
    for (let tries = 1; ; tries += 1) {
      const before = stateOf(file)
      for (const end of ['', '-wal']) await copyIfFull(`${file}${end}`, `${copy}${end}`)
      if (stateOf(file) === before) return { file: copy, [Symbol.dispose]: dispose }
      // Who writes all the time has the files open: SQLite changes nothing then that it does not change anyway.
      if (tries === MAX_TRIES) return { file, [Symbol.dispose]: dispose }
    }
  } catch (error) {
    dispose()
    throw error
  }
}

async function copyIfFull(from: string, to: string): Promise<void> {
  await rm(to, { force: true })
  if (sizeOf(from) > 0) await copyFile(from, to, constants.COPYFILE_FICLONE)
}

/** What differs after any write to a database or its write-ahead log. */
function stateOf(file: string): string {
  const stats = ['', '-wal'].map((end) => statSync(`${file}${end}`, { bigint: true, throwIfNoEntry: false }))
  return stats.map((each) => `${each?.ino} ${each?.size} ${each?.mtimeNs}`).join()
}

/** 0 if there is no such file. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
