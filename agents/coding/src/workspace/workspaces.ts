import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'

import type { Condition } from 'dragoman/modules'
import { isServiceError, ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'
import { keyedQueue, type KeyedQueue } from '@dragoman/agent-kit/keyed-queue'
import { createDiskReserves, type DiskReserves } from './disk-space.ts'
import { createDeniedPaths, type DeniedPath, type DeniedPaths } from './denied-paths.ts'
import { openFolderHandle, type Bounds } from './folder-handle.ts'
import { isWithin } from './is-within.ts'
import { resolveRealPart } from './real-path.ts'

/** A folder that is worked in, and further ones: real paths, each below a served root. */
export type Workspace = {
  readonly root: string
  readonly directories: readonly string[]
  /** For each of them, `root` first, the outermost served folder from which it is gone down to. */
  readonly bases: readonly string[]
  /** What no tool may show. */
  readonly closed: readonly DeniedPath[]
}

/** How one of its folders is gone down to, and what is closed there: not where the owner has put a root into it. */
export function boundsOf({ root, directories, bases, closed }: Workspace, folder: string): Bounds {
  const base = bases[[root, ...directories].indexOf(folder)] ?? folder
  return { base, closed: closed.filter(({ path }) => !isWithin(path, base)) }
}

/** What a client says of it. */
export type WorkspaceRequest = {
  readonly workspaceRoot?: string | undefined
  readonly directories?: readonly string[] | undefined
}

export interface Workspaces {
  /** As the server was given them. */
  readonly roots: readonly string[]
  /**
   * @throws ServiceError `unavailable` without a root, `invalid-request` for a non-folder, `forbidden` if not served
   */
  open(wanted: WorkspaceRequest): Promise<Workspace>
  /**
   * Opens the workspace of a run's context again, because it may have changed since. @throws ServiceError, as `open`
   */
  of(context: Json): Promise<Workspace>
  /** Serializes writes of a file, from its check to its end. The key is its real path. */
  readonly writeQueue: KeyedQueue
  /** What neither files nor commands take of the disks. */
  readonly disks: DiskReserves
  condition(): Promise<Condition>
}

const NO_ROOT =
  'The coding agent is off: no folder is served. Start the server with --root DIR, or set roots in config.yaml.'

/** `places` are closed, but for roots that the server's owner has put into them. */
export function createWorkspaces(
  roots: readonly string[],
  places: DeniedPaths = createDeniedPaths(undefined, []),
  disks: DiskReserves = createDiskReserves(0),
): Workspaces {
  const reals = roots.map((root) => cacheSuccess(() => realpath(root)))
  const servedRoots = async (): Promise<readonly string[]> =>
    Promise.all(reals.map((real, index) => real().catch(() => resolve(roots[index] ?? ''))))
  /** The folder, and the outermost root from which no closed place lies on the way to it. */
  const folder = async (
    path: string,
    field: string,
    closed: readonly DeniedPath[],
  ): Promise<ServedFolder> => {
    if (!isAbsolute(path)) throw new ServiceError('invalid-request', `${field} must be an absolute path`)
    if (path.includes('\0'))
      throw new ServiceError('invalid-request', `${field} is no folder on this machine`)
    const real = await resolveRealPart(path)
    const isOpen = (root: string): boolean =>
      real !== undefined &&
      isWithin(root, real) &&
      closed.every((each) => !isWithin(each.path, real) || isWithin(each.path, root))
    const [base] = (await servedRoots()).filter(isOpen).toSorted((one, other) => one.length - other.length)
    // Nothing is revealed about a folder that is not served.
    if (real === undefined || base === undefined) throw notServedError(field)
    await checkFolder({ base, closed: closed.filter((each) => !isWithin(each.path, base)) }, real, field)
    return { real, base }
  }
  const open: Workspaces['open'] = async ({ workspaceRoot, directories = [] }) => {
    const [first, ...others] = roots
    if (first === undefined) throw new ServiceError('unavailable', NO_ROOT)
    if (workspaceRoot === undefined && others.length > 0) {
      throw new ServiceError('invalid-request', 'workspaceRoot is required: several folders are served.')
    }
    const closed = await places.all()
    const [main, ...further] = await Promise.all([
      folder(workspaceRoot ?? first, 'workspaceRoot', closed),
      ...directories.map((each, index) => folder(each, `directories.${index}`, closed)),
    ])
    const all = [main, ...further]
    return {
      root: main.real,
      directories: further.map(({ real }) => real),
      bases: all.map(({ base }) => base),
      closed,
    }
  }
  return {
    roots,
    open,
    writeQueue: keyedQueue(),
    disks,
    of: (context) => open(isJsonObject(context) ? context : {}),
    condition: () => conditionOf(roots),
  }
}

async function conditionOf(roots: readonly string[]): Promise<Condition> {
  if (roots.length === 0) return { available: false, notes: [NO_ROOT] }
  const found = await Promise.all(
    roots.map(async (root) => ((await isFolder(root)) ? [] : [`${root} is served, but is no folder.`])),
  )
  return { available: found.some((notes) => notes.length === 0), notes: found.flat() }
}

type ServedFolder = { readonly real: string; readonly base: string }

function notServedError(field: string): ServiceError {
  const sentence = `${field}: this folder is not served. The server's owner can allow it with --root.`
  return new ServiceError('forbidden', sentence)
}

/** @throws ServiceError `forbidden` for a closed folder, `invalid-request` for what is no folder */
async function checkFolder(bounds: Bounds, real: string, field: string): Promise<void> {
  try {
    await using _ = await openFolderHandle(bounds, real)
  } catch (cause) {
    if (isServiceError(cause, 'forbidden')) throw notServedError(field)
    throw new ServiceError('invalid-request', `${field} is no folder on this machine`, { cause })
  }
}

/** What was made once, and did not fail, stays: a root's real path cannot be changed by work below another root. */
function cacheSuccess<T>(make: () => Promise<T>): () => Promise<T> {
  let made: T | undefined
  return async () => (made ??= await make())
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
