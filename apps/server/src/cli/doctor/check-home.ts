import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Config } from 'dragoman/config'
import { note, ok, problem, reasonOf, type Finding } from './finding.ts'

/** Whether the home folder can be used, and whether other users of the machine can read it. */
export async function checkHome({ home }: Config): Promise<Finding[]> {
  try {
    const found = await stat(home)
    if (!found.isDirectory()) return [problem(`Home: ${home} is not a folder.`)]
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK)
    const mode = (found.mode & 0o777).toString(8)
    const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0
    return [
      ok(`Home: ${home} is writable.`),
      ...(isOpen
        ? [note(`Home: other users of this machine have access (mode ${mode}). Run chmod 700 ${home}`)]
        : []),
    ]
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      return [problem(`Home: ${home} cannot be used: ${reasonOf(error)}.`)]
    }
    const parent = await nearestFolder(home)
    return [
      (await succeeds(access(parent, constants.W_OK)))
        ? note(`Home: ${home} does not exist yet. The first start creates it.`)
        : problem(`Home: ${home} cannot be created: ${parent} is not writable.`),
    ]
  }
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path)
  return parent === path || (await succeeds(stat(parent))) ? parent : nearestFolder(parent)
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
