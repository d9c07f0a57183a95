import { lstat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'

import { ServiceError } from 'dragoman/errors'
import { brief, fileError } from './file-error.ts'
import { isClosed, type Bounds } from './held-folder.ts'
import { liesIn } from './lies-in.ts'
import { realAsFarAs, realOf } from './real-path.ts'
import { boundsOf, type Workspace } from './workspaces.ts'

/** Where a file of a workspace is, or would be. */
export type Place = {
  /** Without links in it, as far as it is there. */
  readonly path: string
  /** As it is shown: relative to the root, or whole where it lies in another folder. */
  readonly shown: string
  /** The folder of the workspace in which it lies. */
  readonly within: string
  /** How it is gone down to. */
  readonly bounds: Bounds
}

/** A path may have as many characters, as on Linux, and folders: each is looked at. */
const LONGEST = 4096
const DEEPEST = 256

/**
 * The place that a path names: relative to the root, or absolute. Links are followed, also for what is not there yet. It is true of the
 * moment: who opens it looks again (`holdFolder`). @throws ServiceError `invalid-input` for what is no path, `forbidden` for what lies
 * outside, whatever it is called
 */
export async function placeIn(workspace: Workspace, path: string): Promise<Place> {
  const { root, also } = workspace
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
  const asked = resolve(root, path)
  const folderOf = (each: string): string | undefined =>
    [root, ...also].find((folder) => liesIn(folder, each))
  const real = await realOf(asked).catch(async (error: unknown) => {
    // What the system says of a place outside would tell what is there.
    const known = (await realAsFarAs(asked)) ?? asked
    throw folderOf(known) === undefined ? isOutside(path) : fileError(path, error)
  })
  const within = folderOf(real)
  if (within === undefined) throw isOutside(path)
  const bounds = boundsOf(workspace, within)
  if (bounds.closed.some((each) => liesIn(each.path, real))) throw isClosed(brief(path))
  if (sep === '/' && path.includes('\\') && !(await exists(real))) {
    const why = `does not exist. Folders are parted by /: ${path.replaceAll('\\', '/')}`
    throw new ServiceError('invalid-input', brief(`${path} ${why}`))
  }
  return {
    path: real,
    shown: within === root ? real.slice(root.length).replace(sep, '') || '.' : real,
    within,
    bounds,
  }
}

function isOutside(path: string): ServiceError {
  const why = 'is outside of the working directory, and so cannot be used.'
  return new ServiceError('forbidden', `${brief(path)} ${why}`)
}

/** Whether something stands there, a link to nothing included. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
