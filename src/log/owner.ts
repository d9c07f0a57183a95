import { hostname } from 'node:os'

import { nanoid } from 'nanoid'

/** How long a process counts as alive after it last said so, in ms. */
export const LEASE_MS = 15_000

/** A name for this process as an owner of runs: where it runs, so that others on the same host can see that it is dead. */
export function ownerName(): string {
  return `${hostname()}/${process.pid}/${nanoid(8)}`
}

/** Whether an owner is gone: its time is over by the store's clock, or it is known to be dead. `until` in ms since 1970. */
export function isGone(owner: string, until: number, now: number): boolean {
  return until <= now || isDead(owner)
}

function isDead(owner: string): boolean {
  const [host, pid] = owner.split('/')
  if (host !== hostname()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    // EPERM: it lives, and is another user's.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
