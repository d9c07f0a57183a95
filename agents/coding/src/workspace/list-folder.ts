import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'

import { openFolder } from './open-folder.ts'
import type { WorkspacePath } from './resolve-workspace-path.ts'

export type Entry = {
  readonly name: string
  readonly type: 'file' | 'directory' | 'link' | 'other'
  /** In bytes. */
  readonly size: number
  /** ISO 8601. */
  readonly modified: string
}

export type Listed = { readonly entries: readonly Entry[]; readonly truncated: boolean }

/** What is in a folder, by name: so many at most. @throws as `openFolder` */
export async function listFolder(place: WorkspacePath, most: number): Promise<Listed> {
  await using folder = await openFolder(place)
  const entries: Entry[] = []
  for (const name of folder.names.slice(0, most)) {
    // The entry may be gone by now.
    const found = await lstat(join(folder.at, name)).catch(() => undefined)
    if (!found) continue
    entries.push({ name, type: typeOf(found), size: found.size, modified: found.mtime.toISOString() })
  }
  return { entries, truncated: folder.names.length > most }
}

function typeOf(found: Stats): Entry['type'] {
  if (found.isFile()) return 'file'
  if (found.isDirectory()) return 'directory'
  return found.isSymbolicLink() ? 'link' : 'other'
}
