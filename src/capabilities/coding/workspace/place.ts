import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

import { ServiceError } from '../../../errors.ts'
import { liesIn } from './lies-in.ts'
import type { Workspace } from './workspaces.ts'

/** Where a file of a workspace is, or would be. */
export type Place = {
  /** Without links in it, as far as it is there. */
  readonly path: string
  /** As it is shown: relative to the root, or whole where it lies in another folder. */
  readonly shown: string
}

/** Links that lead on to links, at most: as many as Linux follows. */
const MOST_LINKS = 40

/**
 * The place that a path names: relative to the root, or absolute. Links are followed, also for what is not there yet. @throws ServiceError
 * `invalid-input` for what is no path, `forbidden` for what lies outside, whatever it is called
 */
export async function placeIn({ root, also }: Workspace, path: string): Promise<Place> {
  if (path.includes('\0')) throw new ServiceError('invalid-input', 'A path holds no NUL.')
  if (/^(file:|~)/i.test(path))
    throw new ServiceError(
      'invalid-input',
      `${path}: paths are relative to the working directory, or absolute.`,
    )
  const real = await realOf(resolve(root, path))
  const folder = [root, ...also].find((each) => liesIn(each, real))
  if (folder === undefined)
    throw new ServiceError('forbidden', `${path} is outside of the working directory, and so cannot be used.`)
  return { path: real, shown: folder === root ? real.slice(root.length + 1) || '.' : real }
}

/** The real path of what is there, or of the deepest folder above it that is, and the rest behind it. */
async function realOf(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isMissing(error)) throw unreachable(path, error)
  }
  // A link to what is not there: to write to it is to write there.
  const target = await readlink(path).catch(() => undefined)
  if (target !== undefined) {
    if (links >= MOST_LINKS) throw new ServiceError('invalid-input', 'Too many links lead on to links.')
    return realOf(resolve(dirname(path), target), links + 1)
  }
  const above = dirname(path)
  if (above === path) return path
  return join(await realOf(above, links), basename(path))
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function unreachable(path: string, cause: unknown): ServiceError {
  return new ServiceError('invalid-input', `${basename(path)} cannot be reached.`, { cause })
}

/** Whether something stands there, a link to nothing included. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
