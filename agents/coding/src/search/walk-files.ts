import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { basename, dirname } from 'node:path/posix'

import { errorCode } from '../workspace/file-error.ts'
import { openSubfolderHandle, openFolderHandle } from '../workspace/folder-handle.ts'
import { ignoreRules, type Rules } from './ignore-rules.ts'
import type { SearchArea } from './searcher.ts'

/** Folders below folders, at most: each that is on the way is held open. */
const MAX_DEPTH = 256

/** A file below a folder. `at` names it in its folder, which is held open until the next one is asked for. */
export type WalkedFile = { readonly path: string; readonly at: string }

/**
 * The files below a folder, or the one file that it is, as a `Searcher` finds them. Now and then `undefined`: it goes
 * on. Each folder is
 * opened from the open one above it, so that nothing outside of the root is looked at, whatever is put in its place
 * meanwhile.
 */
export async function* walkFiles(ground: SearchArea): AsyncGenerator<WalkedFile | undefined> {
  const { root, start, bounds } = ground
  try {
    await using folder = await openFolderHandle(bounds, join(root, start))
    yield* walkFolder({ path: start, at: folder.at, depth: 0 }, ground, ignoreRules(ground))
  } catch (error) {
    if (errorCode(error) !== 'ENOTDIR' || start === '') return
    // What was a folder above it may be none any more.
    const held = await openFolderHandle(bounds, join(root, dirname(start))).catch(() => undefined)
    if (held === undefined) return
    await using folder = held
    yield { path: start, at: join(folder.at, basename(start)) }
  }
}

type Folder = WalkedFile & { readonly depth: number }

async function* walkFolder(
  { path, at, depth }: Folder,
  ground: SearchArea,
  rules: Rules,
): AsyncGenerator<WalkedFile | undefined> {
  for (const { name, isFolder } of await readEntries(at)) {
    const below = path === '' ? name : `${path}/${name}`
    if (ground.skip.includes(name) || (await rules.ignores(isFolder ? `${below}/` : below))) continue
    if (!isFolder) {
      yield { path: below, at: join(at, name) }
    } else if (depth < MAX_DEPTH) {
      const held = await openSubfolderHandle({ at }, name, ground.bounds.closed).catch(() => undefined)
      if (held === undefined) continue
      await using folder = held
      yield* walkFolder({ path: below, at: folder.at, depth: depth + 1 }, ground, rules)
    }
  }
  yield undefined
}

type Entry = { readonly name: string; readonly isFolder: boolean }

/** The files and folders in a folder, sorted by name. An unreadable folder counts as empty. */
async function readEntries(folder: string): Promise<readonly Entry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
}
