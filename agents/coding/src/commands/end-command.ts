import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

import { processTree, type LeadProcess } from './process-tree.ts'

/** How often it is looked what there still is, in ms. */
const POLL_MS = 10
/** What lives on for so long after it was killed waits for a disk or a device: nothing ends it, in ms. */
const MAX_KILL_WAIT_MS = 3000

/** The time to end after SIGTERM. `spared` gets no SIGTERM, because its end would end the other processes at once. */
export type EndOptions = { readonly graceMs: number; readonly spared: number | undefined }

/** Asks all that runs of a command to end, and kills what has not after its grace. Gives how many there were. */
export async function endCommand(lead: LeadProcess, { graceMs, spared }: EndOptions): Promise<number> {
  const startTime = performance.now()
  const signaled = new Set<number>()
  // A process has no mark during exec, so it must be missing twice.
  for (
    let quiet = 0;
    quiet < 2 && performance.now() - startTime < graceMs + MAX_KILL_WAIT_MS;
    await pause(POLL_MS)
  ) {
    const processes = await processTree(lead)
    quiet = processes.length === 0 ? quiet + 1 : 0
    const isGrace = performance.now() - startTime < graceMs
    // All of a group at once: none of it can fork in between.
    const targets = isGrace
      ? processes.filter((pid) => pid !== spared && !signaled.has(pid))
      : [-lead.pid, ...processes]
    if (processes.length > 0) for (const pid of targets) send(pid, isGrace ? 'SIGTERM' : 'SIGKILL')
    for (const pid of processes) signaled.add(pid)
  }
  return signaled.size
}

function send(target: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') return endTree(Math.abs(target))
  try {
    process.kill(target, signal)
  } catch {
    // It has ended meanwhile.
  }
}

/** Windows knows no groups, and nothing can be asked to end there. */
function endTree(pid: number): void {
  execFile('taskkill', ['/pid', String(pid), '/t', '/f'], () => undefined)
}
