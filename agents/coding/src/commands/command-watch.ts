import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import { readMemory } from './command-memory.ts'
import type { DiskReserve } from '../workspace/disk-space.ts'
import { machineMemoryBytes } from './resource-limits.ts'

/** What of a running command is looked at. */
export type WatchedCommand = {
  readonly pid: number
  readonly disk: DiskReserve
  /** The size of the temporary folders of its sandbox. */
  readonly tmpBytes?: number | undefined
}

export interface CommandWatch {
  /** Waits until a command takes more than it may, and returns the reason; undefined once `signal` has aborted. */
  untilTooMuch(command: WatchedCommand, signal: AbortSignal): Promise<string | undefined>
}

/** A look takes a fifth of the time at most. */
const MIN_PAUSE_MS = 100
const PAUSE_FACTOR = 4
/** Where less memory of the machine is free, and half of what there was, the largest command ends. */
const MIN_AVAILABLE_PART = 0.05

/** Watches commands: `commandBytes` is how much memory one may use with all of its processes. */
export function createCommandWatch(commandBytes: number): CommandWatch {
  const used = new Map<number, number>()
  // The other half is for the server and other programs.
  const allBytes = machineMemoryBytes() / 2
  const isLargest = (pid: number): boolean => (used.get(pid) ?? 0) >= Math.max(...used.values())
  const find = async (
    { pid, disk, tmpBytes }: WatchedCommand,
    before: number,
  ): Promise<string | undefined> => {
    used.set(pid, await readMemory(pid, commandBytes / 2, tmpBytes))
    if (await disk.isUsedUp()) return 'The disk is nearly full.'
    if ((used.get(pid) ?? 0) > commandBytes)
      return `It used more than ${toMegabytes(commandBytes)} MB of memory with its processes and temporary files.`
    if (!isLargest(pid)) return undefined
    const all = [...used.values()].reduce((total, each) => total + each, 0)
    const isFull = all > allBytes || (await availablePart()) < Math.min(MIN_AVAILABLE_PART, before / 2)
    return isFull ? 'All commands together used too much memory, and this one the most.' : undefined
  }
  return {
    async untilTooMuch(command, signal) {
      try {
        const before = await availablePart()
        while (!signal.aborted) {
          const startTime = performance.now()
          const reason = await find(command, before)
          if (reason !== undefined) return reason
          const pauseMs = Math.max(MIN_PAUSE_MS, (performance.now() - startTime) * PAUSE_FACTOR)
          await pause(pauseMs, undefined, { signal }).catch(() => undefined)
        }
        return undefined
      } finally {
        used.delete(command.pid)
      }
    },
  }
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2)
}

/** How much of the machine's memory programs could still get. */
async function availablePart(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const read = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 1)
  return read('MemAvailable') / read('MemTotal')
}
