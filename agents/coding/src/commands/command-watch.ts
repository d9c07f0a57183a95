import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import { readMemory, type CommandMemory, type MeasuredSandbox } from './command-memory.ts'
import type { DiskReserve } from '../workspace/disk-space.ts'
import { machineMemoryBytes } from './resource-limits.ts'

/** What of a running command is looked at. */
export type WatchedCommand = {
  readonly pid: number
  readonly disk: DiskReserve
  readonly sandbox?: MeasuredSandbox | undefined
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
/** What the kernel may keep for a process: 65,530 mappings, a stack and more. */
const PROCESS_BYTES = 16 * 1024 ** 2

/** What is known of a command. `lostBytes` the machine has lost since it began, beyond what is measured of commands. */
type Usage = CommandMemory & { readonly lostBytes: number }

/** Watches commands: `commandBytes` is how much memory one may use with all of its processes. */
export function createCommandWatch(commandBytes: number): CommandWatch {
  const used = new Map<number, Usage>()
  // The other half is for the server and other programs.
  const allBytes = machineMemoryBytes() / 2
  const sumOf = (count: (usage: Usage) => number): number =>
    [...used.values()].reduce((total, each) => total + count(each), 0)
  /** What is free or known to be used by commands: the rest is unaccounted for. */
  const knownBytes = ({ availableBytes }: Machine): number => availableBytes + sumOf(({ bytes }) => bytes)
  const isLargest = (usage: Usage): boolean =>
    [...used.values()].every((other) => suspectBytes(other) <= suspectBytes(usage))
  const find = async (
    { pid, disk, sandbox }: WatchedCommand,
    before: Before,
  ): Promise<string | undefined> => {
    const memory = await readMemory(pid, commandBytes / 2, sandbox)
    used.set(pid, { ...memory, lostBytes: 0 })
    const machine = await readMachine()
    const now = knownBytes(machine)
    before.knownBytes = Math.max(before.knownBytes, now)
    const usage = { ...memory, lostBytes: before.knownBytes - now }
    used.set(pid, usage)
    if (await disk.isUsedUp()) return 'The disk is nearly full.'
    if (chargedBytes(usage) > commandBytes)
      return `It used more than ${toMegabytes(commandBytes)} MB of memory with its processes and temporary files.`
    if (!isLargest(usage)) return undefined
    const all =
      sumOf(({ bytes }) => bytes) +
      Math.min(
        sumOf(({ kernelBytes }) => kernelBytes),
        usage.lostBytes,
      )
    const isFull = all > allBytes || partOf(machine) < Math.min(MIN_AVAILABLE_PART, before.part / 2)
    return isFull ? 'All commands together used too much memory, and this one the most.' : undefined
  }
  return {
    async untilTooMuch(command, signal) {
      try {
        const machine = await readMachine()
        const before = { part: partOf(machine), knownBytes: knownBytes(machine) }
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

/** What a command has: of what the kernel may keep for it, as much as the machine has lost. */
function chargedBytes({ bytes, kernelBytes, lostBytes }: Usage): number {
  return bytes + Math.min(kernelBytes, lostBytes)
}

/** What a command may have at most, where memory is short. */
function suspectBytes({ bytes, kernelBytes, processes, lostBytes }: Usage): number {
  return bytes + Math.min(kernelBytes + processes * PROCESS_BYTES, lostBytes)
}

/** How it was when a command began. Memory that others give back is none that it had. */
type Before = { readonly part: number; knownBytes: number }

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2)
}

/** How much memory of the machine programs could still get. */
type Machine = { readonly availableBytes: number; readonly totalBytes: number }

async function readMachine(): Promise<Machine> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const read = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 1)
  return { availableBytes: read('MemAvailable') * 1024, totalBytes: read('MemTotal') * 1024 }
}

function partOf({ availableBytes, totalBytes }: Machine): number {
  return availableBytes / totalBytes
}
