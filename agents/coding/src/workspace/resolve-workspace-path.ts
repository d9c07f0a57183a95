import { lstat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'

import { ServiceError } from 'dragoman/errors'
import { shortPath, fileError } from './file-error.ts'
import { deniedPathError, type Bounds } from './folder-handle.ts'
import { isWithin, isWithinAnyForm } from './is-within.ts'
import { resolveRealPart, resolveReal } from './real-path.ts'
import { boundsOf, type Workspace } from './workspaces.ts'

/** Where a file of a workspace is, or would be. */
export type WorkspacePath = {
  /** The real path, as far as it exists. */
  readonly path: string
  /** As it is shown: relative to the root, or whole where it lies in another folder. */
  readonly displayPath: string
  /** The folder of the workspace in which it lies. */
  readonly within: string
  /** How it is gone down to. */
  readonly bounds: Bounds
}

/** A path may have as many characters, as on Linux, and folders: each is looked at. */
const MAX_PATH_LENGTH = 4096
const MAX_PATH_DEPTH = 256

/**
 * Resolves a path that is relative to the root or absolute. It follows links, also for a path that does not exist. The
 * result may be outdated at once, so each use checks again (`holdFolder`).
 * @throws ServiceError `invalid-input` for a wrong path, `forbidden` for a path outside
 */
export async function resolveWorkspacePath(workspace: Workspace, path: string): Promise<WorkspacePath> {
  const { root, directories } = workspace
  if (path.includes('\0')) throw new ServiceError('invalid-input', 'A path holds no NUL.')
  // The system would be given another name, without a word.
  if (!path.isWellFormed()) throw new ServiceError('invalid-input', 'A path holds no halves of characters.')
  if (/^(file:|~)/i.test(path)) {
    const why =
      'paths are relative to the working directory, or absolute. What is really called so is ' +
      `./${shortPath(path)}.`
    throw new ServiceError('invalid-input', `${shortPath(path)}: ${why}`)
  }
  if (path.length > MAX_PATH_LENGTH || path.split(/[/\\]/).length > MAX_PATH_DEPTH) {
    throw new ServiceError('invalid-input', `${shortPath(path)} is too long a path.`)
  }
  const absolute = resolve(root, path)
  const folderOf = (each: string): string | undefined =>
    [root, ...directories].find((folder) => isWithin(folder, each))
  const real = await resolveReal(absolute).catch(async (error: unknown) => {
    // The error of the system would reveal what exists outside.
    const reachable = (await resolveRealPart(absolute)) ?? absolute
    throw folderOf(reachable) === undefined ? outsideError(path) : fileError(path, error)
  })
  const within = folderOf(real)
  if (within === undefined) throw outsideError(path)
  const bounds = boundsOf(workspace, within)
  if (bounds.closed.some((each) => isWithinAnyForm(each.path, real))) throw deniedPathError(shortPath(path))
  if (sep === '/' && path.includes('\\') && !(await exists(real))) {
    const why = `does not exist. Folders are parted by /: ${path.replaceAll('\\', '/')}`
    throw new ServiceError('invalid-input', shortPath(`${path} ${why}`))
  }
  return {
    path: real,
    displayPath: within === root ? real.slice(root.length).replace(sep, '') || '.' : real,
    within,
    bounds,
  }
}

function outsideError(path: string): ServiceError {
  const why = 'is outside of the working directory, and so cannot be used.'
  return new ServiceError('forbidden', `${shortPath(path)} ${why}`)
}

/** Whether the path exists, also as a dangling link. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
