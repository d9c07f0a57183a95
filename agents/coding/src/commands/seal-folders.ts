import { lstat, readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

import type { DeniedPath } from '../workspace/denied-paths.ts'
import { errorCode } from '../workspace/file-error.ts'
import { openFolderHandle, type FolderHandle } from '../workspace/folder-handle.ts'
import { isWithin } from '../workspace/is-within.ts'
import {
  folderId,
  type IdentifiedFolder,
  type Mount,
  type MountPlan,
  type MountRequest,
} from './mount-plan.ts'

/** Folders in a sealed one that stay writable. What comes after them by name can only be read. */
const MAX_FOLDERS = 500

/**
 * Seals the folders in which a closed place does not exist: no mount hides what is not there, and a place that was made
 * to be hidden could be taken away again while a command runs. A sealed folder can only be read, so nothing is made,
 * replaced or renamed in it; the folders in it are mounted onto themselves, and are as they would be.
 */
export async function sealFolders(
  folders: MountRequest['folders'],
  closed: readonly DeniedPath[],
  planned: ReadonlyMap<string, Mount>,
): Promise<MountPlan> {
  const mounts = new Map<string, Mount>()
  const verified = new Map<string, IdentifiedFolder>()
  const missing = closed.filter(({ missingIn = '/' }) => missingIn !== '/' && isWritable(missingIn, planned))
  const pins = await foldersToPin(
    folders,
    missing.map(({ path }) => path),
  )
  const names = new Set(missing.map(({ missingIn }) => missingIn))
  const sealed = [...folders, ...pins].filter(({ path }) => names.has(path))
  const children = sealed.map(({ path }) => foldersIn(folders, path))
  for (const each of [...pins, ...(await Promise.all(children)).flat()])
    if (!planned.has(each.path)) {
      mounts.set(each.path, { kind: 'write', from: each.path, at: each.path })
      verified.set(each.path, each)
    }
  for (const { path } of sealed) mounts.set(path, { kind: 'read', from: path, at: path })
  return { mounts: [...mounts.values()], verified: [...verified.values()] }
}

/** What is planned for a path is planned for the deepest folder above it. */
function isWritable(path: string, planned: ReadonlyMap<string, Mount>): boolean {
  const mount = planned.get(path)
  if (mount !== undefined || path === dirname(path)) return mount?.kind === 'write'
  return isWritable(dirname(path), planned)
}

/**
 * Each folder between one that is worked in and a closed place below it. Mounted onto itself, it cannot be renamed:
 * with another name for its parent, a closed place would not be hidden any more.
 */
export async function foldersToPin(
  folders: MountRequest['folders'],
  closed: readonly string[],
): Promise<readonly IdentifiedFolder[]> {
  const between = folders.flatMap((folder) =>
    closed
      .filter((path) => isWithin(folder.path, path))
      .flatMap((path) => {
        const steps = relative(folder.path, dirname(path)).split(sep).filter(Boolean)
        return steps.map((_, index) => join(folder.path, ...steps.slice(0, index + 1)))
      }),
  )
  const pins = [...new Set(between)].map(async (path) => {
    await using held = await openBelow(folders, path)
    return held === undefined ? [] : [{ path, id: await folderId(held.at) }]
  })
  return (await Promise.all(pins)).flat()
}

/** The folders in a folder, by name. */
async function foldersIn(
  folders: MountRequest['folders'],
  path: string,
): Promise<readonly IdentifiedFolder[]> {
  await using held = await openBelow(folders, path)
  if (held === undefined) return []
  const entries = await readdir(held.at, { withFileTypes: true })
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted()
  const found = names.slice(0, MAX_FOLDERS).map(async (name) => {
    const id = await lstat(join(held.at, name), { bigint: true }).catch(() => undefined)
    return id?.isDirectory() ? [{ path: join(path, name), id: `${id.dev}:${id.ino}` }] : []
  })
  return (await Promise.all(found)).flat()
}

/** Opens a folder below one that is worked in; undefined where it is gone, or this user may not look into it. */
async function openBelow(folders: MountRequest['folders'], path: string): Promise<FolderHandle | undefined> {
  const above = folders.find((folder) => isWithin(folder.path, path))
  if (above === undefined) return undefined
  return openFolderHandle({ ...above.bounds, closed: [] }, path).catch((error: unknown) => {
    if (!['ENOENT', 'EACCES'].includes(errorCode(error) ?? '')) throw error
    return undefined
  })
}
