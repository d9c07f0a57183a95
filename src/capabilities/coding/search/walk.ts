import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { ignoreRules } from './rules.ts'
import type { Ground } from './searcher.ts'

/** The files below a folder, or the one file that it is, as a `Searcher` finds them. Now and then `undefined`: it goes on. */
export async function* filesBelow(ground: Ground): AsyncGenerator<string | undefined> {
  const { root, start, skip } = ground
  const rules = ignoreRules(ground)
  const left: Found[] = [{ path: start, isFolder: true }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { path, isFolder } = next
    if (path !== start && (await rules.ignores(isFolder ? `${path}/` : path))) continue
    if (!isFolder) {
      yield path
      continue
    }
    const found = await entriesOf(join(root, path))
    if (found === 'no-folder') {
      yield path
      continue
    }
    for (const entry of found.toReversed()) {
      if (skip.includes(entry.name)) continue
      left.push({ path: path === '' ? entry.name : `${path}/${entry.name}`, isFolder: entry.isFolder })
    }
    yield undefined
  }
}

type Found = { readonly path: string; readonly isFolder: boolean }
type Entry = { readonly name: string; readonly isFolder: boolean }

/** What may be looked at in a folder, by name. One that cannot be read is as an empty one. */
async function entriesOf(folder: string): Promise<readonly Entry[] | 'no-folder'> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? 'no-folder' : []
  }
}
