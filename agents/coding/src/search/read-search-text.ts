import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

import { refuseDeniedPath, type Bounds } from '../workspace/folder-handle.ts'
import { MAX_FILE_BYTES } from './searcher.ts'

/** A file in whose beginning there is a NUL is no text, in bytes. */
const NUL_CHECK_BYTES = 64 * 1024
/** What was a file a moment ago may be a link or a pipe now. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** How texts in UTF-16 begin. */
const UTF16_BOMS = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
])

/**
 * The bytes of a file in a held folder: nothing where it is no file, is closed, is larger than `most`, or cannot be
 * read.
 */
export async function readSearchBytes(
  { closed }: Bounds,
  at: string,
  most: number,
): Promise<Buffer | undefined> {
  try {
    await using file = await open(at, OPEN_FLAGS)
    const found = await file.stat()
    if (!found.isFile() || found.size > most) return undefined
    await refuseDeniedPath(file, closed)
    return await file.readFile()
  } catch {
    return undefined
  }
}

/** What a file in a held folder says, for a search: nothing where it is no text. */
export async function readSearchText(bounds: Bounds, at: string): Promise<string | undefined> {
  const bytes = await readSearchBytes(bounds, at, MAX_FILE_BYTES)
  if (bytes === undefined) return undefined
  const wide = UTF16_BOMS.get(bytes.toString('hex', 0, 2))
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  const nul = bytes.indexOf(0)
  if (nul !== -1 && nul < NUL_CHECK_BYTES) return undefined
  return new TextDecoder().decode(nul === -1 ? bytes : bytes.subarray(0, nul))
}
