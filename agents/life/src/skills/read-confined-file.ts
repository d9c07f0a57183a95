import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'

import { ServiceError } from 'dragoman/errors'

/** Does not wait for a pipe and does not follow a link. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * The text of a file in a folder, whose own path is real; nothing where there is none. Reads no link, wherever it
 * leads: a skill may come from a stranger, and what it shows goes to a model. @throws ServiceError `invalid-input`,
 * which says what is wrong with it
 */
export async function readConfinedFile(
  folder: string,
  file: string,
  mostBytes: number,
): Promise<string | undefined> {
  const path = join(folder, file)
  try {
    if ((await realpath(path)) !== path) throw wrong(file, 'is a link, or lies behind one')
    await using handle = await open(path, READ)
    if (!(await handle.stat()).isFile()) throw wrong(file, 'is not a file')
    // One byte more than it may have: whether it goes on is seen without its size, which may change.
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0)
    if (bytesRead > mostBytes) throw wrong(file, `is larger than ${mostBytes / 1024} KB`)
    return decoded(file, buffer.subarray(0, bytesRead))
  } catch (error) {
    if (error instanceof ServiceError) throw error
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'ELOOP') throw wrong(file, 'is a link, or lies behind one')
    throw wrong(file, `cannot be read (${code})`)
  }
}

/**
 * The names of the files in a folder that end in `.md`, sorted. Links and pipes are none; links are named apart, for
 * who made them.
 */
export async function markdownIn(
  folder: string,
  inner: string,
): Promise<{ readonly files: readonly string[]; readonly links: readonly string[] }> {
  const path = join(folder, inner)
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  if (entries.length === 0) return { files: [], links: [] }
  if ((await realpath(path)) !== path) return { files: [], links: [inner] }
  const named = (kind: 'isFile' | 'isSymbolicLink'): string[] =>
    entries
      .filter((entry) => entry[kind]() && /^[\w][\w.-]*\.md$/.test(entry.name))
      .map(({ name }) => `${inner}/${name}`)
      .toSorted()
  return { files: named('isFile'), links: named('isSymbolicLink') }
}

function decoded(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrong(file, 'is not UTF-8')
  }
}

function wrong(file: string, why: string): ServiceError {
  return new ServiceError('invalid-input', `${file} ${why}`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
