import { z } from 'zod'

import type { Agent, ServerTool } from '../agent/index.ts'
import type { AgentEngine, EngineHost, EngineJob } from '../engines/index.ts'
import { isServiceError, ServiceError, toFailure } from '../errors.ts'
import { estimateTokens, type Message, type Run, type RunEvent, type TerminalEvent } from '../events/index.ts'
import { logWriter, type LogWriter, type RunLog, type Store } from '../log/index.ts'
import { toolExecutor } from './tool-executor.ts'
import { transcript, type Transcript } from './transcript.ts'

/** An engine that does not return is let go of so many ms after its signal: tools have 150 of them. */
const GRACE_MS = 200

/** All that a run of this agent needs. */
export type Staff = {
  readonly agent: Agent
  readonly tools: readonly ServerTool[]
  readonly engine: AgentEngine
}

export type RunnerPorts = {
  readonly store: Store
  readonly log: RunLog
  /** Told of what nobody foresaw; the log and the readers get a fixed sentence. */
  readonly report: (error: unknown, runId: string) => void
}

/** Why a run's signal aborts: `refused` by the store, `over` once the engine is done. */
type Cause =
  | { readonly kind: 'stopped'; readonly by: string }
  | { readonly kind: 'shutdown' }
  | { readonly kind: 'refused' | 'over' }

/** A run that is ours to drive under an epoch. `history` is the conversation, the user's words last. */
export type Claimed = {
  readonly run: Run
  readonly epoch: number
  readonly staff: Staff
  readonly history: readonly Message[]
}

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
    for await (const entries of log.follow(run.id, 0, until)) {
      for (const { event } of entries)
        if (event.type === 'run.stop-requested') abort({ kind: 'stopped', by: event.by })
    }
  } catch (error) {
    report(error, run.id)
    abort({ kind: 'refused' })
  }
}

function jobOf({ run, staff, history }: Claimed): EngineJob {
  return {
    agent: staff.agent,
    userId: run.userId,
    context: run.request.context,
    tools: staff.tools.map(({ name, description, input }) => ({
      name,
      description,
      inputSchema: z.toJSONSchema(input, { io: 'input' }) as EngineJob['tools'][number]['inputSchema'],
    })),
    history,
    stepsLeft: staff.agent.maxSteps,
  }
}

type Desk = { ports: RunnerPorts; writer: LogWriter; told: Transcript }

/** What the engine sees of its run. `close` waits for the tools at work (they are left behind in time), then it is heard no more. */
function hostOf(
  { run, staff }: Claimed,
  { ports, writer, told, signal }: Desk & { signal: AbortSignal },
): EngineHost & { close(): Promise<void> } {
  let closed = false
  const atWork = new Set<Promise<unknown>>()
  const called = new Map<string, PromiseWithResolvers<void>>()
  const whenCalled = (engineId: string): PromiseWithResolvers<void> => {
    const known = called.get(engineId) ?? Promise.withResolvers<void>()
    called.set(engineId, known)
    return known
  }
  const write = (event: RunEvent): void => {
    if (closed) return
    told.note(event)
    void writer.write(event)
  }
  const executor = toolExecutor({
    run,
    tools: new Map(staff.tools.map((tool) => [tool.name, tool])),
    signal,
    write,
    flush: () => writer.flush(),
    report: (error) => ports.report(error, run.id),
  })
  return {
    signal,
    emit(event) {
      if (closed || signal.aborted) return undefined
      const waits = told.accept(event).map((legal) => writer.write(legal))
      if (event.type === 'tool.called') whenCalled(event.callId).resolve()
      return waits.find((wait) => wait !== undefined)
    },
    async call(call) {
      const stopped = { ok: false, output: null, text: 'The run was stopped.' }
      await Promise.race([whenCalled(call.callId).promise, aborted(signal)])
      const callId = told.callId(call.callId)
      if (callId === undefined) return stopped
      try {
        await writer.flush()
        const work = executor.execute(callId, call)
        atWork.add(work)
        return await work
      } catch (error) {
        if (!signal.aborted) throw error
        return stopped
      }
    },
    async close() {
      await Promise.allSettled(atWork)
      closed = true
    },
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
  const work = Promise.try(() => engine.run(job, host)).then(
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
  host.signal.addEventListener('abort', onAbort, { once: true })
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
  if (outcome.kind === 'threw' && !cause && !isServiceError(outcome.error))
    ports.report(outcome.error, run.id)

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
      const stop = since.map(({ event }) => event).find((event) => event.type === 'run.stop-requested')
      if (stop) cause = { kind: 'stopped', by: stop.by }
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

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
