import { lstat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { shortPath, fileError } from './file-error.ts'
import { ServiceError } from 'dragoman/errors'
import { openFolderHandle, deniedPathError, isDeniedPath } from './folder-handle.ts'
import { fileStamp } from './file-stamp.ts'
import { refuseForeignLink } from './hard-links.ts'
import { kindOf } from './open-file.ts'
import { changedError } from './put-file.ts'
import type { WorkspacePath } from './resolve-workspace-path.ts'

/**
 * Deletes the file with that stamp. Callers serialize writes with `Workspaces.writeQueue`.
 * @throws ServiceError `conflict` for a file that changed since; else as `openFile`
 */
export async function removeFile(place: WorkspacePath, stamp: string): Promise<void> {
  const { path, displayPath, bounds } = place
  try {
    await using folder = await openFolderHandle(bounds, dirname(path))
    const at = join(folder.at, basename(path))
    const file = await lstat(at, { bigint: true })
    if (!file.isFile())
      throw new ServiceError('invalid-input', `${shortPath(displayPath)} is ${kindOf(file)}, not a file.`)
    if (isDeniedPath(bounds.closed, file)) throw deniedPathError(shortPath(displayPath))
    await refuseForeignLink(displayPath, file, bounds)
    if (fileStamp(file) !== stamp) throw changedError(displayPath)
    await unlink(at)
  } catch (error) {
    throw fileError(displayPath, error)
  }
}
