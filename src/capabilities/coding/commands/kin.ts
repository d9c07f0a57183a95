import { readdir, readFile } from 'node:fs/promises'

import { GUARDIAN_MARK, MARK } from './guardian.ts'

/** A command's first process, which leads its group, and the mark that each of its processes finds in its environment. */
export type Lead = { readonly pid: number; readonly mark: string }

/**
 * What still runs of a command, as numbers that `process.kill` takes. On Linux: all that is in its group or session, bears its mark, or
 * descends from such a one. What has left the group, has emptied its environment and has lost its parent as well is not found. Elsewhere
 * only the group is known.
 */
export async function kinOf(lead: Lead): Promise<readonly number[]> {
  if (process.platform !== 'linux') {
    const group = process.platform === 'win32' ? lead.pid : -lead.pid
    return isThere(group) ? [group] : []
  }
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const seen = (await Promise.all(all.map((name) => seenAt(Number(name), lead)))).flatMap((one) => one ?? [])
  const kin = new Set(seen.flatMap(({ pid, isKin }) => (isKin ? [pid] : [])))
  for (let before = -1; before !== kin.size;) {
    before = kin.size
    for (const { pid, parent, isGuardian } of seen) if (kin.has(parent) && !isGuardian) kin.add(pid)
  }
  return [...kin]
}

type Seen = {
  readonly pid: number
  readonly parent: number
  readonly isKin: boolean
  readonly isGuardian: boolean
}

/** Nothing of what has ended, also where its parent has not asked after it. */
async function seenAt(pid: number, lead: Lead): Promise<Seen | undefined> {
  const [stat, environment] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''),
    // That of another user's process is not ours to see.
    readFile(`/proc/${pid}/environ`, 'latin1').catch(() => ''),
  ])
  // The name before may hold spaces and parentheses.
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === undefined || state === '' || 'ZX'.includes(state)) return undefined
  const variables = environment.split('\0')
  const isGuardian = pid !== lead.pid && variables.includes(`${GUARDIAN_MARK}=${lead.mark}`)
  const isNear = Number(group) === lead.pid || Number(session) === lead.pid
  const isKin = !isGuardian && (isNear || variables.includes(`${MARK}=${lead.mark}`))
  return { pid, parent: Number(parent), isKin, isGuardian }
}

function isThere(target: number): boolean {
  try {
    return process.kill(target, 0)
  } catch {
    return false
  }
}
