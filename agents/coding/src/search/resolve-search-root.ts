import type { Stats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'

import { ServiceError } from 'dragoman/errors'
import { fileError } from '../workspace/file-error.ts'
import { openFolderHandle } from '../workspace/folder-handle.ts'
import { resolveWorkspacePath, type WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { MAX_FILE_BYTES, type SearchArea } from './searcher.ts'

/** `where` is the ground as it is shown. */
export type SearchRoot = { readonly ground: SearchArea; readonly where: string; readonly isFile: boolean }

/** Passed over unless they are named, by the path or by a pattern of names. */
const SKIPPED_NAMES = ['.git', 'node_modules']

/**
 * Resolves the path of a search. `named` is the pattern of names, which may name folders that are skipped otherwise.
 * @throws ServiceError for a wrong path
 */
export async function resolveSearchRoot(
  workspace: Workspace,
  path = '.',
  named: string,
): Promise<SearchRoot> {
  const place = await resolveWorkspacePath(workspace, path === '' ? '.' : path)
  const found = await statOf(place).catch((error: unknown) => {
    throw fileError(place.displayPath, error)
  })
  if (!found.isFile() && !found.isDirectory())
    throw new ServiceError('invalid-input', `path: ${place.displayPath} is neither a file nor a folder.`)
  if (found.isFile() && found.size > MAX_FILE_BYTES)
    throw new ServiceError(
      'too-large',
      `path: ${place.displayPath} is larger than 10 MB. Search it with a command, or read a part of it.`,
    )
  const root = place.within
  const start = relative(root, place.path).split(sep).join('/')
  const skip = SKIPPED_NAMES.filter((name) => !named.split(/[/{},!]/).includes(name))
  return {
    ground: { root, start, skip, bounds: place.bounds },
    where: place.displayPath,
    isFile: found.isFile(),
  }
}

/** What it is, as its held folder shows it. */
async function statOf({ path, within, bounds }: WorkspacePath): Promise<Stats> {
  await using held = await openFolderHandle(bounds, path === within ? path : dirname(path))
  // Awaited here: it is held no longer than this.
  return await (path === within ? stat(held.at) : lstat(join(held.at, basename(path))))
}

/** Folders that a pattern names may be links: those are not followed. */
export async function isRealFolder({ root, start, bounds }: SearchArea): Promise<boolean> {
  try {
    await using _ = await openFolderHandle(bounds, join(root, start))
    return true
  } catch {
    return false
  }
}

/** The display path: relative to the root, or absolute in another folder. */
export function toDisplayPath(workspace: Workspace, { root }: SearchArea, path: string): string {
  return root === workspace.root ? path : join(root, path)
}
