import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

import { nanoid } from 'nanoid'

/** How long a process counts as alive after it last said so, in ms. */
export const LEASE_MS = 15_000

/** Tells this process, all its threads, from an earlier one of the same number, as a container that was started again has. */
const life = lifeOfProcess()

function lifeOfProcess(): string {
  const known = getEnvironmentData('dragoman-life')
  if (typeof known === 'string') return known
  const made = nanoid(8)
  setEnvironmentData('dragoman-life', made)
  return made
}

/** A name for an owner of runs in this process: where it runs, so that others on the same host can see that it is dead. */
export function ownerName(): string {
  return `${hostname()}/${process.pid}/${life}/${nanoid(8)}`
}

/** Whether an owner is gone: its time is over by the store's clock, or it is known to be dead. `until` in ms since 1970. */
export function isGone(owner: string, until: number, now: number): boolean {
  return until <= now || isDead(owner)
}

function isDead(owner: string): boolean {
  const [host, pid, itsLife] = owner.split('/')
  if (host !== hostname()) return false
  if (pid === String(process.pid)) return itsLife !== life
  try {
    process.kill(Number(pid), 0)
    return isZombie(Number(pid))
  } catch (error) {
    // EPERM: it lives, and is another user's.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Dead, and its parent has not yet taken note: Linux tells it from the living by its state. proc_pid_stat(5) */
function isZombie(pid: number): boolean {
  try {
    const state = /.*\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]
    return state === 'Z' || state === 'X'
  } catch {
    // Elsewhere there is no such file: then its time has to run out.
    return false
  }
}
