import { writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

import { errorCode } from '../workspace/file-error.ts'

const LOWEST = constants.priority.PRIORITY_LOW
/** Without privileges, the kernel takes one such change in 100 ms, from all processes together. */
const TRIES = 10
const TRY_PAUSE_MS = 100

/**
 * Gives a program, and what it starts from then on, the lowest priority. Linux may weigh whole sessions against each
 * other, whatever the priorities in them, so one that the program leads is lowered too. A session that the program
 * begins itself is not: only a control group lowers that.
 */
export function setLowestPriority(pid: number, leadsSession: boolean): void {
  try {
    setPriority(pid, LOWEST)
  } catch {
    // It has ended meanwhile.
  }
  if (leadsSession && process.platform === 'linux') void lowerSession(pid)
}

/** Must not be used for a program in the server's own session: it would lower the server. */
async function lowerSession(pid: number): Promise<void> {
  for (let count = 1; count <= TRIES; count += 1) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(LOWEST), { flag: 'r+' })
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') return
    }
    await pause(TRY_PAUSE_MS, undefined, { ref: false })
  }
}
