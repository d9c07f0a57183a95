import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

import { nanoid } from 'nanoid'

/** How long a process counts as alive after it last said so, in ms. */
export const LEASE_MS = 15_000

/**
 * Tells this process, all its threads, from an earlier one of the same number, as a container that was started again
 * has. When it was begun comes first, where the host tells.
 */
const life = lifeOfProcess()

function lifeOfProcess(): string {
  const processLife = getEnvironmentData('dragoman-life')
  if (typeof processLife === 'string') return processLife
  const made = `${processStat(process.pid)?.startedAt ?? ''}.${nanoid(8)}`
  setEnvironmentData('dragoman-life', made)
  return made
}

/**
 * A name for an owner of runs in this process: where it runs, so that others on the same host can see that it is
 * dead.
 */
export function createOwnerName(): string {
  return `${hostname()}/${process.pid}/${life}/${nanoid(8)}`
}

/** The node of an owner, as people read it: its host, and the process there. */
export function nodeOf(owner: string): string {
  return owner.split('/').slice(0, 2).join('/')
}

/**
 * Whether an owner is gone: its time is over by the store's clock, or it is known to be dead. `until` in ms since
 * 1970.
 */
export function isOwnerDead(owner: string, until: number, now: number): boolean {
  return until <= now || isDead(owner)
}

function isDead(owner: string): boolean {
  const [host, pid, itsLife] = owner.split('/')
  if (host !== hostname()) return false
  if (pid === String(process.pid)) return itsLife !== life
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    // EPERM: it lives, and is another user's.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
  return isAnother(Number(pid), /^(\d+)\./.exec(itsLife ?? '')?.[1])
}

/**
 * Whether a living process of that number is not the one that was begun then, or is dead and its parent has not yet
 * taken note.
 */
function isAnother(pid: number, startedAt: string | undefined): boolean {
  const stat = processStat(pid)
  // Elsewhere than on Linux nothing tells: then its time has to run out.
  if (!stat) return false
  const isOver = stat.state === 'Z' || stat.state === 'X'
  return isOver || (startedAt !== undefined && startedAt !== stat.startedAt)
}

/**
 * `startedAt` is in ticks since the host was begun: the 22nd field, of which the second may hold anything in
 * brackets. proc_pid_stat(5)
 */
function processStat(pid: number): { readonly state: string; readonly startedAt: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, startedAt] = [fields[0], fields[19]]
    return state === undefined || startedAt === undefined ? undefined : { state, startedAt }
  } catch {
    return undefined
  }
}
