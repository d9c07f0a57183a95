import { rename, rm, stat } from 'node:fs/promises'

/** The files that SQLite may keep next to a database, and what the server notes of it. */
export const SIDE_FILES = ['-wal', '-shm', '-journal', '.mark'] as const

/**
 * Makes a file under a temporary name in the same folder and then renames it, or leaves nothing. `make` gives what it
 * has to say.
 */
export async function replaceFile<T>(
  path: string,
  make: (temporary: string) => Promise<T>,
  before: () => Promise<void> = async () => undefined,
): Promise<T> {
  const temporary = `${path}.${process.pid}.part`
  try {
    const made = await make(temporary)
    await before()
    await rename(temporary, path)
    return made
  } finally {
    for (const end of ['', ...SIDE_FILES]) await rm(`${temporary}${end}`, { force: true })
  }
}

/** Bytes of a file; undefined if it is not there. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
}
