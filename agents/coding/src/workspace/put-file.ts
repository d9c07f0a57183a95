import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, lstat, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { ServiceError } from 'dragoman/errors'
import { shortPath, errorCode, fileError } from './file-error.ts'
import type { DiskReserves } from './disk-space.ts'
import { openFolderHandle, deniedPathError, isDeniedPath, type Bounds } from './folder-handle.ts'
import { refuseForeignLink } from './hard-links.ts'
import { kindOf } from './open-file.ts'
import type { WorkspacePath } from './resolve-workspace-path.ts'
import { fileStamp } from './file-stamp.ts'

const NEW_FILE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

export type PutOptions = {
  /** The stamp of the old file. Without it no file may exist. */
  readonly stamp?: string | undefined
  readonly mode?: number | undefined
  readonly disks: Pick<DiskReserves, 'write'>
}

/**
 * Writes a file as a whole and returns its stamp. Missing folders are created, mode and owner are kept. Callers
 * serialize writes with `Workspaces.writeQueue`.
 * @throws ServiceError `conflict` for a file that changed or appeared since, `unavailable` if its disk is nearly full;
 * else as `openFile`
 */
export async function putFile(
  place: WorkspacePath,
  bytes: Uint8Array,
  { stamp, mode = 0o666, disks }: PutOptions,
): Promise<string> {
  const { path, displayPath, within, bounds } = place
  if (path === within) throw new ServiceError('invalid-input', `${displayPath} is a folder, not a file.`)
  try {
    await using folder = await openFolderHandle(bounds, dirname(path), stamp === undefined)
    const at = join(folder.at, basename(path))
    const temporary = join(folder.at, `.dragoman-${randomUUID()}`)
    const write = async (): Promise<string> => {
      await using file = await open(temporary, NEW_FILE_FLAGS, mode)
      await file.writeFile(bytes)
      await file.datasync()
      await copyOwnership(at, file, { displayPath, stamp, bounds })
      await rename(temporary, at)
      return fileStamp(await file.stat({ bigint: true }))
    }
    try {
      return await disks.write(folder.at, bytes.length, write)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  } catch (error) {
    throw fileError(displayPath, error)
  }
}

/** Sees that what is replaced is what was known, and gives its mode and owner to what comes in its place. */
async function copyOwnership(
  at: string,
  file: FileHandle,
  { displayPath, stamp, bounds }: { displayPath: string; stamp: string | undefined; bounds: Bounds },
): Promise<void> {
  const old = await lstat(at, { bigint: true }).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  if (old && !old.isFile()) {
    throw new ServiceError('invalid-input', `${shortPath(displayPath)} is ${kindOf(old)}, not a file.`)
  }
  if (old && isDeniedPath(bounds.closed, old)) throw deniedPathError(shortPath(displayPath))
  if (old) await refuseForeignLink(displayPath, old, bounds)
  if ((old && fileStamp(old)) !== stamp) throw changedError(displayPath)
  if (!old) return
  await access(at, constants.W_OK)
  const { uid, gid } = await file.stat({ bigint: true })
  if (uid !== old.uid || gid !== old.gid) {
    await file.chown(Number(old.uid), Number(old.gid)).catch((error: unknown) => {
      // Only root may give a file away. Whose folder it is may replace it all the same.
      if (errorCode(error) !== 'EPERM') throw error
    })
  }
  await file.chmod(Number(old.mode & 0o7777n))
}

export function changedError(displayPath: string): ServiceError {
  return new ServiceError(
    'conflict',
    `${shortPath(displayPath)} has changed on disk since it was read. Read it again before you change it.`,
  )
}
