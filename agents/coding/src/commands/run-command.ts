import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

import { ServiceError } from 'dragoman/errors'
import { endCommand } from './end-command.ts'
import { GUARDIAN_SCRIPT, GUARDIAN_MARK } from './guardian-script.ts'
import { CONTROL_DESCRIPTOR, spawnProgram, type Program } from './spawn-program.ts'

export type Command = Program & {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Whether its first process is a sandbox, with whose end all in it ends. */
  readonly isSandbox: boolean
}

export type RunOptions = {
  /** Ends it at once. */
  readonly signal: AbortSignal
  /** Its time, in ms. */
  readonly timeoutMs: number
  readonly onOutput: (bytes: Buffer) => void
  /** Waits until it takes too much, and gives the reason; undefined once the signal has aborted. */
  readonly untilTooMuch: (pid: number, signal: AbortSignal) => Promise<string | undefined>
}

export type CommandEnd = {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly timedOut: boolean
  /** Why it was ended before its time, if it took too much. */
  readonly stopped?: string
  readonly durationMs: number
  /** Processes that it had left running, and that were ended: as many as are known. */
  readonly leftRunning: number
}

/** An aborted tool is abandoned after 150 ms, so its processes get little time. Otherwise they get half a second. */
const ABORT_GRACE_MS = 40
const ABORT_WAIT_MS = 60
const GRACE_MS = 500
/** What is still in a pipe after the last process has ended comes within so many ms. */
const DRAIN_MS = 250
/** Of each second, reading the output of one command takes a quarter at most: there are others. */
const READ_BURST_MS = 4
const READ_PAUSE_FACTOR = 3

/**
 * Runs a program in its own group until it ends, times out or is aborted. No process of it remains.
 * @throws the reason of the signal; ServiceError `unavailable` if the program cannot start
 */
export async function runCommand(command: Command, options: RunOptions): Promise<CommandEnd> {
  const { signal } = options
  signal.throwIfAborted()
  const startTime = performance.now()
  const mark = randomUUID()
  const { child, pid } = await startProcess(command, mark)
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  readSlowly(child, options.onOutput)
  const lead = { pid, mark }
  const stopped = await waitForEnd({ child, pid }, options)
  const isOver = hasEnded(child)
  // What takes too much would go on taking it.
  const graceMs = stopped === undefined ? (signal.aborted ? ABORT_GRACE_MS : GRACE_MS) : 0
  const cleanup = (async () => {
    // Else it goes last: should we be killed while we kill, it does the rest.
    if (isOver) await dismissGuardian(child)
    const leftRunning = await endCommand(lead, { graceMs, spared: command.isSandbox ? pid : undefined })
    if (!isOver) await dismissGuardian(child)
    await Promise.race([closed, pause(DRAIN_MS)])
    for (const pipe of child.stdio) pipe?.destroy()
    return leftRunning
  })()
  // All of it has been told to end by then, and goes on being ended: nothing in there throws.
  if (signal.aborted) await Promise.race([cleanup, pause(ABORT_WAIT_MS)])
  signal.throwIfAborted()
  const leftRunning = await cleanup
  signal.throwIfAborted()
  return {
    exitCode: child.exitCode,
    signal: child.signalCode,
    timedOut: !isOver && stopped === undefined,
    ...(stopped !== undefined && { stopped }),
    durationMs: Math.round(performance.now() - startTime),
    // Processes in a sandbox are not counted, because they may just be ending.
    leftRunning: isOver && !command.isSandbox ? leftRunning : 0,
  }
}

type StartedProcess = { readonly child: ChildProcess; readonly pid: number }

async function startProcess({ cwd, env, ...program }: Command, mark: string): Promise<StartedProcess> {
  const isWindows = process.platform === 'win32'
  const { file, args, ...rest } = program
  const guarded = { ...rest, file: '/bin/sh', args: ['-c', GUARDIAN_SCRIPT, 'sh', file, ...args] }
  try {
    const child = spawnProgram(isWindows ? program : guarded, {
      cwd,
      env: { ...env, [GUARDIAN_MARK]: mark },
      detached: !isWindows,
      isControlled: true,
      priority: 'lowest',
    })
    // Its end may be told while it is still written to.
    child.stdio[CONTROL_DESCRIPTOR]?.on('error', () => undefined)
    await once(child, 'spawn')
    // To signal no process is to signal our own group.
    if (child.pid === undefined) throw new Error('A process without a number was started.')
    return { child, pid: child.pid }
  } catch (cause) {
    throw new ServiceError('unavailable', 'The command could not be started on this machine.', { cause })
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Waits until it has ended, its time is over, or it takes too much: then it gives the reason. */
async function waitForEnd(
  { child, pid }: StartedProcess,
  { signal, timeoutMs, untilTooMuch }: RunOptions,
): Promise<string | undefined> {
  const over = new AbortController()
  const isLate = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    return await Promise.race([
      waitForExit(child, isLate).then(() => undefined),
      untilTooMuch(pid, over.signal),
    ])
  } finally {
    over.abort()
  }
}

/** Once it has ended, or `signal` has aborted. */
async function waitForExit(child: ChildProcess, signal: AbortSignal): Promise<void> {
  if (!hasEnded(child)) await once(child, 'exit', { signal }).catch(() => undefined)
}

/** Tells the guardian that it is not needed any more, and waits until it has gone. */
async function dismissGuardian(child: ChildProcess): Promise<void> {
  const pipe = child.stdio[CONTROL_DESCRIPTOR]
  if (!(pipe instanceof Duplex) || pipe.destroyed) return
  const closed = new Promise<void>((resolve) => pipe.once('close', resolve))
  pipe.resume()
  pipe.end('\n')
  await Promise.race([closed, pause(DRAIN_MS)])
}

/** A program that writes without end is read no faster than others can bear. */
function readSlowly(child: ChildProcess, onOutput: RunOptions['onOutput']): void {
  for (const pipe of [child.stdout, child.stderr]) {
    let worked = 0
    pipe?.on('data', (bytes: Buffer) => {
      const startTime = performance.now()
      onOutput(bytes)
      worked += performance.now() - startTime
      if (worked < READ_BURST_MS) return
      pipe.pause()
      setTimeout(() => pipe.resume(), worked * READ_PAUSE_FACTOR)
      worked = 0
    })
  }
}
