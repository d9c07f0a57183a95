import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Writable } from 'node:stream'

import { lazy } from 'dragoman/async'
import { FILTER_DESCRIPTOR } from './bubblewrap-args.ts'
import { setLowestPriority } from './lowest-priority.ts'

/** What makes a sandbox, with what it reads at its descriptor for a filter. */
export type Program = { readonly file: string; readonly args: readonly string[]; readonly filter?: Buffer }

type SpawnOptions = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Whether it leads a group and a session of its own. */
  readonly detached: boolean
  /** Whether it shares a pipe with the server at descriptor 3. */
  readonly isControlled: boolean
  /** The lowest one leaves the processor to the server. */
  readonly priority: 'lowest' | 'normal'
}

/** Where a program finds the pipe to the server. */
export const CONTROL_DESCRIPTOR = 3
const O_CLOEXEC = 0o2_000_000

/**
 * Starts a program without input and with pipes for its output. It gets none of the server's other descriptors: what
 * the server itself inherited, from systemd or a shell, would lead to files outside of a sandbox.
 */
export function spawnProgram({ file, args, filter }: Program, options: SpawnOptions): ChildProcess {
  const { cwd, env, detached, isControlled, priority } = options
  const inherited = inheritedDescriptors()
  const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'pipe']
  if (isControlled) stdio[CONTROL_DESCRIPTOR] = 'pipe'
  if (filter) stdio[FILTER_DESCRIPTOR] = 'pipe'
  const closed = inherited.filter((descriptor) => stdio[descriptor] === undefined)
  // With `/dev/null` in their place, a command of root could change the mode of that device.
  for (const descriptor of closed) stdio[descriptor] = 'pipe'
  const child = spawn(file, args, {
    cwd,
    env,
    detached,
    windowsHide: true,
    stdio: Array.from(stdio, (each) => each ?? 'ignore'),
  })
  if (child.pid !== undefined && priority === 'lowest') setLowestPriority(child.pid, detached)
  for (const descriptor of closed) child.stdio[descriptor]?.destroy()
  const input = child.stdio[FILTER_DESCRIPTOR]
  if (filter && input instanceof Writable) {
    // It may end before it has read the filter.
    input.on('error', () => undefined)
    input.end(filter, () => input.destroy())
  }
  return child
}

/** Those that a started program would inherit. Node opens all of its own so that they are closed then. */
const inheritedDescriptors = lazy((): readonly number[] => {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInherited(descriptor))
})

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & O_CLOEXEC) === 0
  } catch {
    // It was the one of the folder that was read.
    return false
  }
}
