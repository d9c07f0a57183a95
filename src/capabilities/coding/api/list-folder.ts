import type { Stats } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

import { ServiceError } from '../../../errors.ts'
import { codeOf, fault } from '../workspace/fault.ts'
import { holdFolder } from '../workspace/held-folder.ts'
import type { Place } from '../workspace/place.ts'

export type Entry = {
  readonly name: string
  readonly type: 'file' | 'directory' | 'link' | 'other'
  /** In bytes. */
  readonly size: number
  /** ISO 8601. */
  readonly modified: string
}

export type Listed = { readonly entries: readonly Entry[]; readonly truncated: boolean }

/** Names that are read of a folder, however many it has. */
const MOST_READ = 50_000

/** What is in a folder, by name. @throws ServiceError for what is no folder or cannot be read */
export async function listFolder({ path, shown, within }: Place, most: number): Promise<Listed> {
  try {
    await using folder = await holdFolder(within, path)
    const names: string[] = []
    for await (const { name } of await opendir(folder.at, { bufferSize: 1000 })) {
      names.push(name)
      if (names.length > MOST_READ) break
    }
    const first = names.toSorted((a, b) => (a < b ? -1 : Number(a > b))).slice(0, most)
    const entries: Entry[] = []
    for (const name of first) {
      // One that has gone meanwhile is not there.
      const found = await lstat(join(folder.at, name)).catch(() => undefined)
      if (!found) continue
      entries.push({ name, type: typeOf(found), size: found.size, modified: found.mtime.toISOString() })
    }
    return { entries, truncated: names.length > most }
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR')
      throw new ServiceError('invalid-input', `path: ${shown} is no folder.`, { cause: error })
    throw fault(shown, error)
  }
}

function typeOf(found: Stats): Entry['type'] {
  if (found.isFile()) return 'file'
  if (found.isDirectory()) return 'directory'
  return found.isSymbolicLink() ? 'link' : 'other'
}
