import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { basename, dirname } from 'node:path/posix'

import { openFolderHandle, isDeniedPath } from '../workspace/folder-handle.ts'
import { readSearchText } from './read-search-text.ts'
import { MAX_LINE_LENGTH, type SearchArea, type Hit } from './searcher.ts'

/** Keeps the files that exist below the root when they are looked up through held folders. */
export async function verifyFiles(area: SearchArea, paths: readonly string[]): Promise<readonly string[]> {
  return inFolders(area, paths, async (path, at) => {
    const found = await lstat(at, { bigint: true }).catch(() => undefined)
    return found?.isFile() && !isDeniedPath(area.bounds.closed, found) ? [path] : []
  })
}

/** Keeps the lines that are in files below the root when these are read through held folders. */
export async function verifyLines(area: SearchArea, hits: readonly Hit[]): Promise<readonly Hit[]> {
  const files = Map.groupBy(hits, ({ path }) => path)
  return inFolders(area, [...files.keys()], async (path, at) => {
    const text = await readSearchText(area.bounds, at)
    return text === undefined ? [] : keepMatching(files.get(path) ?? [], text)
  })
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

function keepMatching(hits: readonly Hit[], text: string): readonly Hit[] {
  const lines = text.split('\n')
  return hits.filter((hit) => {
    const line = lines[hit.line - 1]?.replace(/\r$/, '')
    return line?.slice(0, MAX_LINE_LENGTH) === hit.text
  })
}
