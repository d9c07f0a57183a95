import { constants } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

import { codeOf } from './fault.ts'

/** A folder that is held open: what is done at `at` is done in it, whatever is put in its path's place meanwhile. */
export interface HeldFolder extends AsyncDisposable {
  readonly at: string
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Goes down to a folder from one above it, step by step, and follows no link: both are real paths, so that a link in the way was put there
 * after they were looked at. Where the system shows open folders as paths (Linux) nothing can come between a step and the next.
 * With `make`, folders that are not there are made. @throws what the operating system says
 */
export async function holdFolder(within: string, folder: string, make = false): Promise<HeldFolder> {
  const steps = relative(within, folder)
    .split(sep)
    .filter((step) => step !== '')
  let held = await open(within, FOLDER)
  let at = pathOf(held, within)
  try {
    for (const step of steps) {
      const path = join(at, step)
      const next = await stepInto(path, make)
      await held.close()
      held = next
      at = pathOf(held, path)
    }
  } catch (error) {
    await held.close()
    throw error
  }
  return { at, [Symbol.asyncDispose]: () => held.close() }
}

async function stepInto(path: string, make: boolean): Promise<FileHandle> {
  try {
    return await open(path, FOLDER)
  } catch (error) {
    if (!make || codeOf(error) !== 'ENOENT') throw error
  }
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  return open(path, FOLDER)
}

function pathOf(held: FileHandle, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${held.fd}` : path
}
