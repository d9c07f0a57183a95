import { constants } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

import { ServiceError } from 'dragoman/errors'
import type { DeniedPath } from './denied-paths.ts'
import { errorCode } from './file-error.ts'
import { identityOf, type Identity } from './file-stamp.ts'

/** A folder that is held open: what is done at `at` is done in it, whatever is put in its path's place meanwhile. */
export interface FolderHandle extends AsyncDisposable {
  readonly at: string
}

/** Where a way down to a folder begins, and what it may not lead through. */
export type Bounds = {
  /** The outermost served folder: a real path. What is above it is its owner's alone. */
  readonly base: string
  /** What is closed below it. */
  readonly closed: readonly DeniedPath[]
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Opens a folder step by step from the served one above it, and follows no link. Both are real paths, so a link on
 * the way was put there
 * after they were looked at. On Linux each step starts at the open folder of the step before, and not at a name.
 * With `make`, it makes the folders that are missing. @throws ServiceError `forbidden` for a closed place; what the
 * operating system says
 */
export async function openFolderHandle(
  { base, closed }: Bounds,
  folder: string,
  make = false,
): Promise<FolderHandle> {
  const steps = relative(base, folder)
    .split(sep)
    .filter((step) => step !== '')
  let held = await open(base, FOLDER)
  let at = handlePath(held, base)
  try {
    for (const step of steps) {
      const path = join(at, step)
      const next = await openStep(path, make)
      await held.close()
      held = next
      await refuseDeniedPath(held, closed)
      at = handlePath(held, path)
    }
  } catch (error) {
    await held.close()
    throw error
  }
  return { at, [Symbol.asyncDispose]: () => held.close() }
}

/** Opens the folder of that name in one that is held open. @throws as `holdFolder` */
export async function openSubfolderHandle(
  { at }: Pick<FolderHandle, 'at'>,
  name: string,
  closed: Bounds['closed'],
): Promise<FolderHandle> {
  const path = join(at, name)
  const held = await open(path, FOLDER)
  try {
    await refuseDeniedPath(held, closed)
  } catch (error) {
    await held.close()
    throw error
  }
  return { at: handlePath(held, path), [Symbol.asyncDispose]: () => held.close() }
}

/** @throws ServiceError `forbidden` for a file or folder that is closed, whatever its name is now */
export async function refuseDeniedPath(held: FileHandle, closed: Bounds['closed']): Promise<void> {
  if (closed.length > 0 && isDeniedPath(closed, await held.stat({ bigint: true })))
    throw deniedPathError('This place')
}

export function isDeniedPath(closed: Bounds['closed'], found: Identity): boolean {
  const id = identityOf(found)
  return closed.some((each) => each.id === id)
}

export function deniedPathError(displayPath: string): ServiceError {
  const why = 'is hidden from tools: it belongs to the server, or may hold keys of its user.'
  return new ServiceError('forbidden', `${displayPath} ${why}`)
}

async function openStep(path: string, make: boolean): Promise<FileHandle> {
  try {
    return await open(path, FOLDER)
  } catch (error) {
    if (!make || errorCode(error) !== 'ENOENT') throw error
  }
  await mkdir(path).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
  return open(path, FOLDER)
}

function handlePath(held: FileHandle, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${held.fd}` : path
}
