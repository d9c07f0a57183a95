import { z } from 'zod'

import type { AgentEngine, EngineHost, EngineJob } from '../engines/index.ts'
import { isServiceError, ServiceError, toFailure } from '../errors.ts'
import { estimateTokens, type LogEntry, type Run, type TerminalEvent } from '../events/index.ts'
import { logWriter } from '../log/index.ts'
import { hostOf, type Desk } from './host.ts'
import type { Claimed, RunnerPorts } from './claimed.ts'
import { transcript, type Transcript } from './transcript.ts'

/** An engine that does not return is let go of so many ms after its signal: tools have 150 of them. */
const GRACE_MS = 200

/** Why a run's signal aborts: `refused` by the store, `over` once the engine is done. */
type Cause =
  | { readonly kind: 'stopped'; readonly by: string }
  | { readonly kind: 'shutdown' }
  | { readonly kind: 'refused' | 'over' }

/**
 * Joins an engine to the log of a claimed run, until the run's one terminal entry is written, whatever the engine does. Never throws.
 * `shutdown` ends the run as `interrupted`.
 */
export async function runToEnd(claimed: Claimed, ports: RunnerPorts, shutdown: AbortSignal): Promise<void> {
  const { run, epoch, staff } = claimed
  const { log, report } = ports
  const control = new AbortController()
  const abort = (cause: Cause): void => control.abort(cause)
  const writer = logWriter({
    log,
    runId: run.id,
    epoch,
    lastSeq: run.lastSeq,
    onRefused: () => abort({ kind: 'refused' }),
  })
  const told = transcript(run.id)
  const onShutdown = (): void => abort({ kind: 'shutdown' })
  shutdown.addEventListener('abort', onShutdown)
  if (shutdown.aborted) onShutdown()

  const ended = new AbortController()
  const heeding = heed(ports, run, { abort, until: ended.signal })
  try {
    const host = hostOf(claimed, { ports, writer, told, signal: control.signal })
    const outcome = await driven(staff.engine, jobOf(claimed), host, report)
    const cause = control.signal.aborted ? (control.signal.reason as Cause) : undefined
    // An engine that threw may have left tools at work.
    abort({ kind: 'over' })
    await host.close()
    await end(claimed, { ports, writer, told, outcome, cause })
  } catch (error) {
    // The log took nothing more: the run is let go, and whoever claims it next ends it.
    report(error, run.id)
    ports.letGo(run.id)
  } finally {
    ended.abort()
    shutdown.removeEventListener('abort', onShutdown)
    await heeding
  }
}

/** Stops are entries of the log, whoever wrote them. */
async function heed(
  { log, report }: RunnerPorts,
  run: Run,
  { abort, until }: { abort: (cause: Cause) => void; until: AbortSignal },
): Promise<void> {
  try {
    const stop = await log.stopped(run.id, until)
    if (stop) abort({ kind: 'stopped', by: stop.by })
  } catch (error) {
    report(error, run.id)
    abort({ kind: 'refused' })
  }
}

function stopIn(entries: readonly LogEntry[]): Cause | undefined {
  const stop = entries.map(({ event }) => event).find((event) => event.type === 'run.stop-requested')
  return stop && { kind: 'stopped', by: stop.by }
}

function jobOf({ staff, history }: Claimed): EngineJob {
  return {
    agent: staff.agent,
    tools: staff.tools.map(({ name, description, input }) => ({
      name,
      description,
      inputSchema: z.toJSONSchema(input, { io: 'input' }) as EngineJob['tools'][number]['inputSchema'],
    })),
    history,
    stepsLeft: staff.agent.maxSteps,
  }
}

type Outcome = { readonly kind: 'returned' } | { readonly kind: 'threw'; readonly error: unknown }

/** Runs the engine until it returns or throws, or its grace after the signal is over. */
async function driven(
  engine: AgentEngine,
  job: EngineJob,
  host: EngineHost,
  report: RunnerPorts['report'],
): Promise<Outcome> {
  let left = false
  const drive = async (): Promise<void> => engine.run(job, host)
  const work = drive().then(
    (): Outcome => ({ kind: 'returned' }),
    (error: unknown): Outcome => {
      if (left) report(error, 'after its end')
      return { kind: 'threw', error }
    },
  )
  const late = Promise.withResolvers<Outcome>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = (): void => {
    timer = setTimeout(() => late.resolve({ kind: 'returned' }), GRACE_MS)
  }
  if (host.signal.aborted) onAbort()
  else host.signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, late.promise])
  } finally {
    left = true
    clearTimeout(timer)
    host.signal.removeEventListener('abort', onAbort)
  }
}

type Ending = Desk & { outcome: Outcome; cause: Cause | undefined }

/** Closes what is open and writes the terminal entry, unless the log says meanwhile that a stop was asked for: then that counts. */
async function end(
  { run, epoch, history, staff }: Claimed,
  { ports, writer, told, outcome, ...ending }: Ending,
): Promise<void> {
  const inputTokens = (): number => estimateTokens(staff.agent.instructions + JSON.stringify(history))
  let { cause } = ending
  if (cause?.kind === 'refused') {
    await writer.flush()
    return
  }
  if (outcome.kind === 'threw' && !cause) ports.report(outcome.error, run.id)

  let last = await writer.flush()
  const closing = told.closing(leftOpen(cause), inputTokens)
  for (;;) {
    const terminal = terminalOf(cause, outcome, told)
    try {
      await ports.log.append(run.id, [...closing, terminal], { epoch, ifLast: last })
      return
    } catch (error) {
      if (!isServiceError(error, 'conflict')) throw error
      const since = await ports.store.read(run.id, last)
      last = since.at(-1)?.seq ?? last
      cause = stopIn(since) ?? cause
    }
  }
}

function leftOpen(cause: Cause | undefined): ReturnType<typeof toFailure> {
  if (cause?.kind === 'stopped') return toFailure(new ServiceError('aborted', 'The run was stopped.'))
  return toFailure(new ServiceError('interrupted', 'The run ended before this call had an outcome.'))
}

function terminalOf(
  cause: Cause | undefined,
  outcome: Outcome,
  { usage, reason }: Transcript,
): TerminalEvent {
  if (cause?.kind === 'stopped') return { type: 'run.cancelled', by: cause.by, usage }
  if (cause) {
    const failure = toFailure(
      new ServiceError('interrupted', 'The server was shut down before the answer was complete.'),
    )
    return { type: 'run.failed', failure, usage }
  }
  if (outcome.kind === 'threw') return { type: 'run.failed', failure: toFailure(outcome.error), usage }
  return { type: 'run.finished', reason, usage }
}
