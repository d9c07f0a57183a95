import type { CodingServices } from '../settings.ts'

/** How much one command may use. */
export type CommandLimits = CodingServices['commandLimits']

/**
 * A line of shell that sets the limits of what is run after it. To root the kernel sets no limit of processes. Shells
 * disagree about its letter.
 */
export function limitScript({ commandMemoryBytes, commandFileBytes }: CommandLimits): string {
  return (
    `ulimit -d ${Math.ceil(commandMemoryBytes / 1024)} 2>/dev/null; ulimit -f ` +
    `${Math.ceil(commandFileBytes / 512)} 2>/dev/null`
  )
}

export function processLimitScript({ commandProcesses }: CommandLimits): string {
  return `ulimit -u ${commandProcesses} 2>/dev/null || ulimit -p ${commandProcesses} 2>/dev/null`
}

/** What goes before a program's own words where there is no sandbox. */
export function limitedCommandPrefix(limits: CommandLimits): readonly string[] {
  return process.platform === 'win32' ? [] : ['/bin/sh', '-c', `${limitScript(limits)}; exec "$@"`, 'sh']
}
