import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { basename, dirname } from 'node:path/posix'

import { holdFolder, isKnown } from '../workspace/held-folder.ts'
import { textOf } from './held-file.ts'
import { MAX_LINE_LENGTH, type Ground, type Hit } from './searcher.ts'

/** Of what was found, the files that are below the root when they are looked at through their held folders. */
export async function confirmFiles(ground: Ground, paths: readonly string[]): Promise<readonly string[]> {
  return inFolders(ground, paths, pathOfFile, async (path, at) => {
    const found = await lstat(at, { bigint: true }).catch(() => undefined)
    return found?.isFile() && !isKnown(ground.bounds.closed, found) ? [path] : []
  })
}

/**
 * Of the lines that were found, those that stand in files below the root when these are read through their held
 * folders.
 */
export async function confirmLines(ground: Ground, hits: readonly Hit[]): Promise<readonly Hit[]> {
  const files = Map.groupBy(hits, ({ path }) => path)
  return inFolders(
    ground,
    [...files],
    ([path]) => path,
    async ([, found], at) => {
      const text = await textOf(ground.bounds, at)
      return text === undefined ? [] : standing(found, text)
    },
  )
}

const pathOfFile = (path: string): string => path

/** Looks at each in its folder: the folder of the last one is still held when the next lies in it too. */
async function inFolders<Item, Kept>(
  { root, bounds }: Ground,
  items: readonly Item[],
  pathOf: (item: Item) => string,
  look: (item: Item, at: string) => Promise<readonly Kept[]>,
): Promise<readonly Kept[]> {
  const kept: Kept[] = []
  for (const [folder, inIt] of Map.groupBy(items, (item) => dirname(pathOf(item)))) {
    const opened = await holdFolder(bounds, join(root, folder)).catch(() => undefined)
    if (opened === undefined) continue
    await using held = opened
    for (const item of inIt) kept.push(...(await look(item, join(held.at, basename(pathOf(item))))))
  }
  return kept
}

/** `hits` are in the order of their lines. */
function standing(hits: readonly Hit[], text: string): readonly Hit[] {
  const kept: Hit[] = []
  let [line, at] = [1, 0]
  for (const hit of hits) {
    for (; line < hit.line && at !== -1; line += 1) at = after(text, at)
    if (at === -1) break
    const end = text.indexOf('\n', at)
    const said = text.slice(at, end === -1 ? undefined : end).replace(/\r$/, '')
    if (said.slice(0, MAX_LINE_LENGTH) === hit.text) kept.push(hit)
  }
  return kept
}

function after(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? -1 : end + 1
}
