import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Does the work while no other process does it. @throws if it cannot begin within `waitMs`.
 *
 * The lock is a folder with one empty file for each process at work, named by its pid. A free lock is taken by renaming
 * a filled folder to it, a dead process's lock by renaming the file in it: of several that try, exactly one succeeds.
 * `work` is given a function that names a further process: a child that outlives us keeps the lock.
 */
export async function withLock(lock, waitMs, work) {
  const ours = `${lock}-${process.pid}`
  mkdirSync(ours, { recursive: true })
  writeFileSync(join(ours, String(process.pid)), '')

  for (const end = Date.now() + waitMs; !take(lock, ours); await sleep(100)) {
    if (Date.now() < end) continue
    rmSync(ours, { recursive: true })
    throw new Error(`Another set-up holds ${lock} and does not end. If there is none, delete that folder.`)
  }
  try {
    return await work((pid) => writeFileSync(join(lock, String(pid)), ''))
  } finally {
    // Renamed first, so that no process sees a partial lock, and only the own lock is deleted.
    renameSync(lock, ours)
    rmSync(ours, { recursive: true })
  }
}

function take(lock, ours) {
  if (happens(() => renameSync(ours, lock), ['ENOTEMPTY', 'EEXIST', 'EPERM'])) return true

  let holders = []
  if (!happens(() => (holders = readdirSync(lock).map(Number)), ['ENOENT'])) return false
  if (holders.length === 0 || holders.some(isAlive)) return false
  const [dead, heir] = [Math.min(...holders), process.pid].map((pid) => join(lock, String(pid)))
  if (!happens(() => renameSync(dead, heir), ['ENOENT'])) return false
  rmSync(ours, { recursive: true })
  return true
}

function isAlive(pid) {
  // The own pid in a lock belongs to an earlier process. EPERM: the process is alive and belongs to another user.
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Whether it succeeded; false for expected errors. */
function happens(act, unless) {
  try {
    act()
    return true
  } catch (error) {
    if (unless.includes(error.code)) return false
    throw error
  }
}
