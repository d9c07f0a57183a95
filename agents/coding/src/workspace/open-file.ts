import { constants, type Stats } from 'node:fs'
import { lstat, open, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { ServiceError } from 'dragoman/errors'
import { brief, fileError } from './file-error.ts'
import { holdFolder, refuseClosed } from './held-folder.ts'
import type { Place } from './place.ts'

/** A pipe is not waited for, and a link that was put there meanwhile is not followed. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Opens a file for reading. Who opens it closes it. @throws ServiceError `not-found`, `forbidden`, `invalid-input` for what is no file, e.g. a folder or a pipe */
export async function openFile({ path, shown, within, bounds }: Place): Promise<FileHandle> {
  if (path === within) throw notAFile(shown, 'a folder')
  try {
    await using folder = await holdFolder(bounds, dirname(path))
    const at = join(folder.at, basename(path))
    // Looked at first: to open a device may do something to it.
    refuseUnlessFile(shown, await lstat(at))
    const file = await open(at, READ)
    try {
      refuseUnlessFile(shown, await file.stat())
      await refuseClosed(file, bounds.closed)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  } catch (error) {
    throw fileError(shown, error)
  }
}

/** @throws ServiceError `invalid-input`, which says what it is */
function refuseUnlessFile(shown: string, found: Stats): void {
  if (!found.isFile()) throw notAFile(shown, kindOf(found))
}

function notAFile(shown: string, kind: string): ServiceError {
  return new ServiceError('invalid-input', `${brief(shown)} is ${kind}, not a file.`)
}

export function kindOf(found: Pick<Stats, 'isFIFO' | 'isSocket' | 'isDirectory' | 'isSymbolicLink'>): string {
  if (found.isDirectory()) return 'a folder'
  if (found.isSymbolicLink()) return 'a link'
  if (found.isFIFO()) return 'a named pipe'
  return found.isSocket() ? 'a socket' : 'a device'
}
