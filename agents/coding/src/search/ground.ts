import { realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

import { ServiceError } from '../../../errors.ts'
import { fault } from '../workspace/fault.ts'
import { liesIn } from '../workspace/lies-in.ts'
import { placeIn } from '../workspace/place.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { MOST_OF_FILE, type Ground } from './searcher.ts'

/** `where` is the ground as it is shown. */
export type Whereabouts = { readonly ground: Ground; readonly where: string; readonly isFile: boolean }

/** Passed over unless they are named, by the path or by a pattern of names. */
const PASSED_OVER = ['.git', 'node_modules']

/** What a path names, to be looked through. `named`: the pattern of names that goes with it. @throws ServiceError for a path that cannot be */
export async function groundOf(workspace: Workspace, path = '.', named: string): Promise<Whereabouts> {
  const place = await placeIn(workspace, path === '' ? '.' : path)
  const found = await stat(place.path).catch((error: unknown) => {
    throw fault(place.shown, error)
  })
  if (!found.isFile() && !found.isDirectory())
    throw new ServiceError('invalid-input', `path: ${place.shown} is neither a file nor a folder.`)
  if (found.isFile() && found.size > MOST_OF_FILE)
    throw new ServiceError(
      'too-large',
      `path: ${place.shown} is larger than 10 MB. Search it with a command, or read a part of it.`,
    )
  const root = place.within
  const start = relative(root, place.path).split(sep).join('/')
  const skip = PASSED_OVER.filter((name) => !named.split(/[/{},!]/).includes(name))
  return { ground: { root, start, skip }, where: place.shown, isFile: found.isFile() }
}

/** Folders that a pattern names may be links: those are not followed. */
export async function isPlainFolder({ root, start }: Ground): Promise<boolean> {
  const path = join(root, start)
  const real = await realpath(path).catch(() => undefined)
  return real === path && (await stat(path)).isDirectory()
}

/** A folder may have become a link while it was looked through: what lies outside of the root is not told, nor what is closed. */
export async function confined<Item>(
  { closed }: Workspace,
  { root }: Ground,
  items: readonly Item[],
  pathOf: (item: Item) => string,
): Promise<readonly Item[]> {
  const folderOf = (item: Item): string => dirname(pathOf(item))
  const folders = [...new Set(items.map(folderOf))]
  const real = await Promise.all(folders.map((folder) => realpath(join(root, folder)).catch(() => undefined)))
  const isOpen = (path: string): boolean =>
    liesIn(root, path) && !(closed !== undefined && liesIn(closed, path))
  const inside = new Set(folders.filter((_, index) => isOpen(real[index] ?? '/')))
  return items.filter((item) => inside.has(folderOf(item)))
}

/** As it is told: relative to the root, or whole where it lies in another folder. */
export function shownPath(workspace: Workspace, { root }: Ground, path: string): string {
  return root === workspace.root ? path : join(root, path)
}
