import { readdir, readFile } from 'node:fs/promises'

import { GUARDIAN_MARK, COMMAND_MARK } from './guardian-script.ts'

/** The first process of a command, which leads its group, and the mark in the environment of all its processes. */
export type LeadProcess = { readonly pid: number; readonly mark: string }

/**
 * The running processes of a command, as arguments of `process.kill`. On Linux these are all processes in its group or
 * session, with its mark, or below such a process. A process that left the group, cleared its environment and lost its
 * parent is not found. Elsewhere only the group is known.
 */
export async function processTree(lead: LeadProcess): Promise<readonly number[]> {
  const all = process.platform === 'linux' ? await readdir('/proc').catch(() => []) : []
  const numbers = all.filter((name) => /^\d+$/.test(name)).map(Number)
  if (numbers.length === 0) {
    const group = process.platform === 'win32' ? lead.pid : -lead.pid
    return isRunning(group) ? [group] : []
  }
  const processes = (await Promise.all(numbers.map((pid) => readProcess(pid, lead)))).flatMap(
    (one) => one ?? [],
  )
  const kin = new Set(processes.flatMap(({ pid, isKin }) => (isKin ? [pid] : [])))
  for (let before = -1; before !== kin.size;) {
    before = kin.size
    for (const { pid, parent, isGuardian } of processes) if (kin.has(parent) && !isGuardian) kin.add(pid)
  }
  return [...kin]
}

type ProcessInfo = {
  readonly pid: number
  readonly parent: number
  readonly isKin: boolean
  readonly isGuardian: boolean
}

/** Of what stands after a process's name: its state, its parent, its group, its session, and how much memory it has. */
const [STATE, PARENT, GROUP, SESSION, MEMORY] = [0, 1, 2, 3, 20] as const

/** Nothing of what has ended, also where its parent has not asked after it. */
async function readProcess(pid: number, lead: LeadProcess): Promise<ProcessInfo | undefined> {
  // This order matters: a process that ends in between has an empty environment and no memory.
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // The name may hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (stat === '' || 'ZX'.includes(fields[STATE] ?? '') || fields[MEMORY] === '0') return undefined
  const variables = environment.split('\0')
  const isGuardian = pid !== lead.pid && variables.includes(`${GUARDIAN_MARK}=${lead.mark}`)
  const isNear = Number(fields[GROUP]) === lead.pid || Number(fields[SESSION]) === lead.pid
  const isKin = !isGuardian && (isNear || variables.includes(`${COMMAND_MARK}=${lead.mark}`))
  return { pid, parent: Number(fields[PARENT]), isKin, isGuardian }
}

function isRunning(target: number): boolean {
  try {
    return process.kill(target, 0)
  } catch {
    return false
  }
}
