import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

import { refuseDeniedPath, type Bounds } from '../workspace/folder-handle.ts'
import { refuseForeignLink } from '../workspace/hard-links.ts'
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
export async function readSearchBytes(bounds: Bounds, at: string, most: number): Promise<Buffer | undefined> {
  try {
    await using file = await open(at, OPEN_FLAGS)
    const found = await file.stat({ bigint: true })
    if (!found.isFile() || found.size > most) return undefined
    await refuseDeniedPath(file, bounds.closed)
    await refuseForeignLink(at, found, bounds)
    return await file.readFile()
  } catch {
    return undefined
  }
}

/** What a file in a held folder says, for a search: nothing where it is no text. */
export async function readSearchText(bounds: Bounds, at: string): Promise<string | undefined> {
  const bytes = await readSearchBytes(bounds, at, MAX_FILE_BYTES)
  return bytes && decodeSearchText(bytes)
}

/** What bytes say, for a search: nothing where they are no text. */
export function decodeSearchText(bytes: Uint8Array): string | undefined {
  const wide = UTF16_BOMS.get(Buffer.from(bytes.subarray(0, 2)).toString('hex'))
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  const nul = bytes.indexOf(0)
  if (nul !== -1 && nul < NUL_CHECK_BYTES) return undefined
  return new TextDecoder().decode(nul === -1 ? bytes : bytes.subarray(0, nul))
}
