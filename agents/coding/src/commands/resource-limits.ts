import { totalmem } from 'node:os'

import type { CodingServices } from '../settings.ts'
import type { GroupLimits } from './control-group.ts'

/** How much one command may use. */
export type CommandLimits = CodingServices['commandLimits']

/** A line of shell that sets the limits of what is run after it. */
export function limitScript({ commandMemoryBytes, commandFileBytes }: CommandLimits): string {
  return (
    `ulimit -c 0; ulimit -d ${Math.ceil(commandMemoryBytes / 1024)} 2>/dev/null; ulimit -f ` +
    `${Math.ceil(commandFileBytes / 512)} 2>/dev/null`
  )
}

/**
 * What a process may have open. What is on its way from one to another in a message counts as well, for the user; all
 * the kernel keeps for it is memory that no process has.
 */
const MAX_DESCRIPTORS = 4096

/** To root the kernel sets no limit of processes: a control group does. Shells disagree about its letter. */
export function processLimitScript({ commandProcesses }: CommandLimits): string {
  return (
    `ulimit -u ${commandProcesses} 2>/dev/null || ulimit -p ${commandProcesses} 2>/dev/null; ` +
    `ulimit -n ${MAX_DESCRIPTORS} 2>/dev/null`
  )
}

/** What goes before a program's own words where there is no sandbox. */
export function limitedCommandPrefix(limits: CommandLimits): readonly string[] {
  return process.platform === 'win32' ? [] : ['/bin/sh', '-c', `${limitScript(limits)}; exec "$@"`, 'sh']
}

/** The memory of this machine, or of the container. */
export function machineMemoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

/** How much memory a command may use with all of its processes and temporary files: at most half of what there is. */
export function totalMemoryBytes({ commandTotalMemoryBytes }: CommandLimits): number {
  return Math.min(commandTotalMemoryBytes, Math.floor(machineMemoryBytes() / 2))
}

/** The limits of a command's control group. */
export function groupLimits(limits: CommandLimits): GroupLimits {
  return {
    processes: limits.commandProcesses,
    memoryBytes: totalMemoryBytes(limits),
  }
}

/** What goes before a program's own words so that it joins control groups first. If it cannot, nothing is run. */
export function joinGroupsPrefix(joinFiles: readonly string[]): readonly string[] {
  if (joinFiles.length === 0) return []
  const script = 'while [ "$1" != -- ]; do echo 0 >"$1" || exit 126; shift; done; shift; exec "$@"'
  return ['/bin/sh', '-c', script, 'sh', ...joinFiles, '--']
}
