import { constants, type StatsBase } from 'node:fs'
import { lstat, open, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { ServiceError } from 'dragoman/errors'
import { shortPath, fileError } from './file-error.ts'
import { openFolderHandle, refuseDeniedPath } from './folder-handle.ts'
import { refuseForeignLink } from './hard-links.ts'
import type { WorkspacePath } from './resolve-workspace-path.ts'

/** A pipe is not waited for, and a link that was put there meanwhile is not followed. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * Opens a file for reading. The caller closes it.
 * @throws ServiceError `not-found`, `forbidden`, or `invalid-input` for a folder, a pipe or another non-file
 */
export async function openFile({ path, displayPath, within, bounds }: WorkspacePath): Promise<FileHandle> {
  if (path === within) throw notFileError(displayPath, 'a folder')
  try {
    await using folder = await openFolderHandle(bounds, dirname(path))
    const at = join(folder.at, basename(path))
    // Looked at first: to open a device may do something to it.
    refuseUnlessFile(displayPath, await lstat(at))
    const file = await open(at, READ)
    try {
      const found = await file.stat({ bigint: true })
      refuseUnlessFile(displayPath, found)
      await refuseDeniedPath(file, bounds.closed)
      await refuseForeignLink(displayPath, found, bounds)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  } catch (error) {
    throw fileError(displayPath, error)
  }
}

/** @throws ServiceError `invalid-input`, which says what it is */
function refuseUnlessFile(displayPath: string, found: FileKind): void {
  if (!found.isFile()) throw notFileError(displayPath, kindOf(found))
}

function notFileError(displayPath: string, kind: string): ServiceError {
  return new ServiceError('invalid-input', `${shortPath(displayPath)} is ${kind}, not a file.`)
}

type FileKind = Pick<StatsBase<unknown>, 'isFile' | 'isFIFO' | 'isSocket' | 'isDirectory' | 'isSymbolicLink'>

export function kindOf(found: FileKind): string {
  if (found.isDirectory()) return 'a folder'
  if (found.isSymbolicLink()) return 'a link'
  if (found.isFIFO()) return 'a named pipe'
  return found.isSocket() ? 'a socket' : 'a device'
}
