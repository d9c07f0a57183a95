import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { basename, dirname } from 'node:path/posix'

import { openFolderHandle, isDeniedPath } from '../workspace/folder-handle.ts'
import { inUserTurn, workOnText } from '../files/text-work.ts'
import { readSearchBytes } from './read-search-text.ts'
import { MAX_FILE_BYTES, type SearchArea, type SearchCaller, type Hit } from './searcher.ts'

/** Keeps the files that exist below the root when they are looked up through held folders. */
export async function verifyFiles(area: SearchArea, paths: readonly string[]): Promise<readonly string[]> {
  return inFolders(area, paths, async (path, at) => {
    const found = await lstat(at, { bigint: true }).catch(() => undefined)
    return found?.isFile() && !isDeniedPath(area.bounds.closed, found) ? [path] : []
  })
}

/** Keeps the lines that are in files below the root when these are read through held folders. */
export async function verifyLines(
  area: SearchArea,
  hits: readonly Hit[],
  { userId, signal }: SearchCaller,
): Promise<readonly Hit[]> {
  const files = Map.groupBy(hits, ({ path }) => path)
  const verify = async (path: string, at: string): Promise<readonly Hit[]> => {
    const bytes = await readSearchBytes(area.bounds, at, MAX_FILE_BYTES)
    if (bytes === undefined) return []
    return workOnText(userId, bytes.length, { name: 'match', input: { bytes, hits: files.get(path) ?? [] } })
  }
  return inFolders(area, [...files.keys()], (path, at) => inUserTurn(userId, signal, () => verify(path, at)))
}

/** Calls `look` for each path while its folder is held. */
async function inFolders<Found>(
  { root, bounds }: SearchArea,
  paths: readonly string[],
  look: (path: string, at: string) => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  const results: Found[] = []
  for (const [folder, inIt] of Map.groupBy(paths, (path) => dirname(path))) {
    const opened = await openFolderHandle(bounds, join(root, folder)).catch(() => undefined)
    if (opened === undefined) continue
    await using held = opened
    for (const path of inIt) results.push(...(await look(path, join(held.at, basename(path)))))
  }
  return results
}
