import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { basename, dirname } from 'node:path/posix'

import { holdFolder, isClosedPlace } from '../workspace/held-folder.ts'
import { readSearchText } from './read-held-file.ts'
import { MAX_LINE_LENGTH, type SearchArea, type Hit } from './searcher.ts'

/** Of what was found, the files that are below the root when they are looked at through their held folders. */
export async function confirmFiles(ground: SearchArea, paths: readonly string[]): Promise<readonly string[]> {
  return inFolders(ground, paths, pathOfFile, async (path, at) => {
    const found = await lstat(at, { bigint: true }).catch(() => undefined)
    return found?.isFile() && !isClosedPlace(ground.bounds.closed, found) ? [path] : []
  })
}

/**
 * Of the lines that were found, those that stand in files below the root when these are read through their held
 * folders.
 */
export async function confirmLines(ground: SearchArea, hits: readonly Hit[]): Promise<readonly Hit[]> {
  const files = Map.groupBy(hits, ({ path }) => path)
  return inFolders(
    ground,
    [...files],
    ([path]) => path,
    async ([, found], at) => {
      const text = await readSearchText(ground.bounds, at)
      return text === undefined ? [] : keepMatching(found, text)
    },
  )
}

const pathOfFile = (path: string): string => path

/** Looks at each in its folder: the folder of the last one is still held when the next lies in it too. */
async function inFolders<Item, Kept>(
  { root, bounds }: SearchArea,
  items: readonly Item[],
  pathOf: (item: Item) => string,
  look: (item: Item, at: string) => Promise<readonly Kept[]>,
): Promise<readonly Kept[]> {
  const results: Kept[] = []
  for (const [folder, inIt] of Map.groupBy(items, (item) => dirname(pathOf(item)))) {
    const opened = await holdFolder(bounds, join(root, folder)).catch(() => undefined)
    if (opened === undefined) continue
    await using held = opened
    for (const item of inIt) results.push(...(await look(item, join(held.at, basename(pathOf(item))))))
  }
  return results
}

/** `hits` are in the order of their lines. */
function keepMatching(hits: readonly Hit[], text: string): readonly Hit[] {
  const results: Hit[] = []
  let [line, at] = [1, 0]
  for (const hit of hits) {
    for (; line < hit.line && at !== -1; line += 1) at = nextLineStart(text, at)
    if (at === -1) break
    const end = text.indexOf('\n', at)
    const lineText = text.slice(at, end === -1 ? undefined : end).replace(/\r$/, '')
    if (lineText.slice(0, MAX_LINE_LENGTH) === hit.text) results.push(hit)
  }
  return results
}

function nextLineStart(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? -1 : end + 1
}
