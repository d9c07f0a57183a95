import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { open, stat, statfs, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'

import { ServiceError } from 'dragoman/errors'

type DiskSpace = {
  readonly freeBytes: number
  readonly freeFiles: number
  readonly reserveBytes: number
  readonly reserveFiles: number
}

/** What a command never takes of the disks that it writes to, while it runs. */
export interface DiskReserve extends AsyncDisposable {
  /** Whether less is left than the command may leave, and less than there was. */
  isUsedUp(): Promise<boolean>
}

export interface DiskReserves {
  /**
   * Keeps the last bytes of the disks of these folders from a command. Where a disk is nearly full, they are allocated
   * until the command has ended, so that it cannot take them however fast it writes.
   * @throws ServiceError `unavailable` if there is less already
   */
  hold(folders: readonly string[]): Promise<DiskReserve>
  /**
   * Writes so many bytes to the disk of a folder, and counts what is written there at the same time.
   * @throws ServiceError `unavailable` if that would take the last of the disk; what `write` throws
   */
  write<T>(folder: string, bytes: number, write: () => Promise<T>): Promise<T>
}

/** Of a small disk only a tenth is kept. */
const MAX_PART = 0.1
/** Files that a disk counts: a command ends before the last of them, which cannot be allocated. */
const MAX_FILE_RESERVE = 100_000
/** Where so many times the reserve is free, no command fills it between two looks. */
const AMPLE_FACTOR = 16
/** Without a file that holds the reserve, a command ends this much earlier than where the reserve begins. */
const UNHELD_FACTOR = 1.5
/** With one, it ends when it has used up the rest, but for this part of the reserve. */
const HELD_FACTOR = 0.25
const ALLOCATE_TIMEOUT_MS = 10_000
/** A file without a name, which the kernel frees when it is closed. Node has no name for the flag. */
const O_TMPFILE = 0o20_000_000 | constants.O_DIRECTORY

/** The file that holds the reserve of a disk, for all commands that write to it. */
type Ballast = { readonly file: Promise<FileHandle | undefined>; users: number }
type Held = { readonly folder: string; readonly isHeld: boolean; readonly before: DiskSpace }

export function createDiskReserves(reserveBytes: number): DiskReserves {
  const ballasts = new Map<number, Ballast>()
  const release = async (disk: number): Promise<void> => {
    const ballast = ballasts.get(disk)
    if (ballast === undefined) return
    ballast.users -= 1
    if (ballast.users > 0) return
    ballasts.delete(disk)
    await (await ballast.file)?.close()
  }
  const holdDisk = async (disk: number, folder: string): Promise<Held> => {
    const space = await spaceOf(folder, reserveBytes)
    const old = ballasts.get(disk)
    const needed = space.reserveBytes * (old ? HELD_FACTOR : 1)
    if (space.freeBytes < needed || space.freeFiles < space.reserveFiles / 2)
      throw nearlyFullError('commands', space)
    const isAmple = !old && space.freeBytes > space.reserveBytes * AMPLE_FACTOR
    const ballast = old ?? { file: isAmple ? NO_FILE : allocate(folder, space.reserveBytes), users: 0 }
    ballasts.set(disk, ballast)
    ballast.users += 1
    const isHeld = (await ballast.file) !== undefined
    return { folder, isHeld, before: await spaceOf(folder, reserveBytes) }
  }
  return {
    async hold(folders) {
      const disks = new Map<number, string>()
      for (const folder of folders) {
        // A server that keeps nothing has no home.
        const found = await stat(folder).catch(() => undefined)
        if (found) disks.set(found.dev, folder)
      }
      const held = new Map<number, Held>()
      const releaseAll = async (): Promise<void> => {
        for (const disk of held.keys()) await release(disk)
      }
      try {
        for (const [disk, folder] of disks) held.set(disk, await holdDisk(disk, folder))
      } catch (error) {
        await releaseAll()
        throw error
      }
      const isUsedUp = async (): Promise<boolean> => {
        const all = [...held.values()].map((each) => isNearlyFull(each, reserveBytes))
        return (await Promise.all(all)).includes(true)
      }
      return { isUsedUp, [Symbol.asyncDispose]: releaseAll }
    },
    write: createDiskWriter(reserveBytes, async (disk) => (await ballasts.get(disk)?.file) !== undefined),
  }
}

/** `isHeld` returns whether the reserve of a disk is allocated. */
function createDiskWriter(
  reserveBytes: number,
  isHeld: (disk: number) => Promise<boolean>,
): DiskReserves['write'] {
  /** Bytes of the writes that have not ended, by disk. */
  const pending = new Map<number, number>()
  return async (folder, bytes, write) => {
    // A server that keeps nothing has no home.
    const disk = (await stat(folder).catch(() => undefined))?.dev
    if (disk === undefined) return write()
    const earlierBytes = pending.get(disk) ?? 0
    pending.set(disk, earlierBytes + bytes)
    try {
      const factor = (await isHeld(disk)) ? HELD_FACTOR : 1
      const space = await spaceOf(folder, reserveBytes)
      const needed = space.reserveBytes * factor + earlierBytes + bytes
      if (space.freeBytes < needed || space.freeFiles < space.reserveFiles / 2)
        throw nearlyFullError('files', space)
      return await write()
    } finally {
      pending.set(disk, (pending.get(disk) ?? 0) - bytes)
    }
  }
}

const NO_FILE = Promise.resolve(undefined)

function nearlyFullError(what: 'commands' | 'files', { reserveBytes }: DiskSpace): ServiceError {
  const size = `${Math.ceil(reserveBytes / 1024 ** 2)} MB`
  const sentence = `The disk is nearly full, and ${what} may not take its last ${size}. Free some space first.`
  const names = { commands: '命令', files: '文件' }
  return new ServiceError('unavailable', sentence, {
    translations: { zh: `磁盘快满了，${names[what]}不能占用最后 ${size}。请先腾出一些空间。` },
  })
}

/** A command that frees space goes on. */
async function isNearlyFull({ folder, isHeld, before }: Held, reserveBytes: number): Promise<boolean> {
  const now = await spaceOf(folder, reserveBytes).catch(() => before)
  const floor = now.reserveBytes * (isHeld ? HELD_FACTOR : UNHELD_FACTOR)
  return (
    (now.freeBytes < floor && now.freeBytes < before.freeBytes) ||
    (now.freeFiles < now.reserveFiles && now.freeFiles < before.freeFiles)
  )
}

/** Some file systems do not count files. */
async function spaceOf(folder: string, wantedBytes: number): Promise<DiskSpace> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(folder)
  return {
    freeBytes: bavail * bsize,
    freeFiles: files === 0 ? Number.POSITIVE_INFINITY : ffree,
    reserveBytes: Math.min(wantedBytes, Math.floor(blocks * bsize * MAX_PART)),
    reserveFiles: Math.min(MAX_FILE_RESERVE, Math.floor(files * MAX_PART)),
  }
}

/** Undefined where the file system or the machine cannot allocate a file without writing it. */
async function allocate(folder: string, bytes: number): Promise<FileHandle | undefined> {
  if (process.platform !== 'linux') return undefined
  const file = await open(folder, constants.O_RDWR | O_TMPFILE, 0o600).catch(() => undefined)
  try {
    // The file has no name, so the program finds it among the server's own descriptors.
    const path = `/proc/${process.pid}/fd/${file?.fd}`
    const options = {
      timeout: ALLOCATE_TIMEOUT_MS,
      env: { PATH: '/usr/bin:/bin:/run/current-system/sw/bin' },
    }
    if (file) await promisify(execFile)('fallocate', ['-l', String(bytes), path], options)
    return file
  } catch {
    await file?.close()
    return undefined
  }
}
