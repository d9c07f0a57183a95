import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'

import { ServiceError } from '../../../errors.ts'
import { brief, codeOf, fault } from './fault.ts'
import { liesIn } from './lies-in.ts'
import type { Workspace } from './workspaces.ts'

/** Where a file of a workspace is, or would be. */
export type Place = {
  /** Without links in it, as far as it is there. */
  readonly path: string
  /** As it is shown: relative to the root, or whole where it lies in another folder. */
  readonly shown: string
  /** The folder of the workspace in which it lies. */
  readonly within: string
}

/** Links that lead on to links, at most: as many as Linux follows. */
const MOST_LINKS = 40

/** A path may have as many characters, as on Linux, and folders: each is looked at. */
const LONGEST = 4096
const DEEPEST = 256

/**
 * The place that a path names: relative to the root, or absolute. Links are followed, also for what is not there yet. It is true of the
 * moment: who opens it looks again (`holdFolder`). @throws ServiceError `invalid-input` for what is no path, `forbidden` for what lies
 * outside, whatever it is called
 */
export async function placeIn({ root, also, closed }: Workspace, path: string): Promise<Place> {
  if (path.includes('\0')) throw new ServiceError('invalid-input', 'A path holds no NUL.')
  // The system would be given another name, without a word.
  if (!path.isWellFormed()) throw new ServiceError('invalid-input', 'A path holds no halves of characters.')
  if (/^(file:|~)/i.test(path)) {
    const why = `paths are relative to the working directory, or absolute. What is really called so is ./${brief(path)}.`
    throw new ServiceError('invalid-input', `${brief(path)}: ${why}`)
  }
  if (path.length > LONGEST || path.split(/[/\\]/).length > DEEPEST) {
    throw new ServiceError('invalid-input', `${brief(path)} is too long a path.`)
  }
  const real = await realOf(resolve(root, path)).catch((error: unknown) => {
    throw fault(path, error)
  })
  const within = [root, ...also].find((each) => liesIn(each, real))
  if (within === undefined) {
    const why = 'is outside of the working directory, and so cannot be used.'
    throw new ServiceError('forbidden', `${brief(path)} ${why}`)
  }
  if (closed !== undefined && liesIn(closed, real)) {
    throw new ServiceError('forbidden', `${brief(path)} is the server's own, and so cannot be used.`)
  }
  if (sep === '/' && path.includes('\\') && !(await exists(real))) {
    const why = `does not exist. Folders are parted by /: ${path.replaceAll('\\', '/')}`
    throw new ServiceError('invalid-input', brief(`${path} ${why}`))
  }
  return {
    path: real,
    shown: within === root ? real.slice(root.length).replace(sep, '') || '.' : real,
    within,
  }
}

/** The real path of what is there, or of the deepest folder above it that is, and the rest behind it. */
async function realOf(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  const above = dirname(path)
  if (above === path) return path
  // A link to what is not there: to write to it is to write there.
  const target = await readlink(path).catch(() => undefined)
  const folder = await realOf(above, links)
  if (target === undefined) return join(folder, basename(path))
  if (links >= MOST_LINKS) throw new ServiceError('invalid-input', 'Too many links lead on to links.')
  return realOf(resolve(folder, target), links + 1)
}

/** Whether something stands there, a link to nothing included. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
