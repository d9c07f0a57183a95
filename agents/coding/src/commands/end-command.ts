import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

import { processTree, type Lead } from './process-tree.ts'

/** How often it is looked what there still is, in ms. */
const LOOK_MS = 10
/** What lives on for so long after it was killed waits for a disk or a device: nothing ends it, in ms. */
const MAX_WAIT_MS = 3000

/** How long what is asked to end may take; and one of them that would take the others with it at once, if it was asked. */
export type Asking = { readonly graceMs: number; readonly spared: number | undefined }

/** Asks all that runs of a command to end, and kills what has not after its grace. Gives how many there were. */
export async function endCommand(lead: Lead, { graceMs, spared }: Asking): Promise<number> {
  const begun = performance.now()
  const asked = new Set<number>()
  // One that is just becoming another program bears no mark: only what is not found twice is not there.
  for (let quiet = 0; quiet < 2 && performance.now() - begun < graceMs + MAX_WAIT_MS; await pause(LOOK_MS)) {
    const left = await processTree(lead)
    quiet = left.length === 0 ? quiet + 1 : 0
    const isAsked = performance.now() - begun < graceMs
    // All of a group at once: none of it can fork in between.
    const told = isAsked ? left.filter((pid) => pid !== spared && !asked.has(pid)) : [-lead.pid, ...left]
    if (left.length > 0) for (const pid of told) send(pid, isAsked ? 'SIGTERM' : 'SIGKILL')
    for (const pid of left) asked.add(pid)
  }
  return asked.size
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
