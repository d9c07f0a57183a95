import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const SIZE = '512m'
const BLOCK_BYTES = 2 ** 20

/** A volume in memory for a database, which can be full. */
export interface SmallDisk extends AsyncDisposable {
  fill(): Promise<void>
  free(): Promise<void>
}

/** Mounts a volume on a folder. Undefined where this process may not mount. */
export async function mountSmallDisk(folder: string): Promise<SmallDisk | undefined> {
  if (process.getuid?.() !== 0) return undefined
  try {
    await execute('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'dragoman-chaos', folder])
  } catch {
    return undefined
  }
  const ballast = join(folder, 'ballast')
  const free = (): Promise<void> => rm(ballast, { force: true })
  return {
    free,
    async fill() {
      const file = await open(ballast, constants.O_WRONLY | constants.O_CREAT)
      try {
        for (const block = Buffer.alloc(BLOCK_BYTES, 1); ;) await file.write(block)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        await file.close()
      }
    },
    [Symbol.asyncDispose]: async () => void (await execute('umount', ['--lazy', folder])),
  }
}
