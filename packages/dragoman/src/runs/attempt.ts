import { isServiceError, ServiceError, toFailure } from '../errors.ts'
import { abortCause, stopCause, type AbortCause } from './abort-cause.ts'
import { startDeadline } from './deadline.ts'
import { endRun, promptTokens } from './end-run.ts'
import { createEngineHost } from './engine-host.ts'
import type { RunnerPorts } from './ports.ts'
import { releaseReaders } from './release-readers.ts'
import { createRunContext, type ClaimedRun, type RunContext } from './run-context.ts'
import { runEngine, type EngineOutcome } from './run-engine.ts'
import type { Past } from './run-history.ts'
import { isComplete, isGivenUp, resumption, supersedingMessages, unsettledCalls } from './recovery.ts'

/** How an attempt ends. A run that is released is continued by the process that claims it next. */
export type AttemptResult = 'ended' | 'suspended' | 'released'

/**
 * Joins an engine to the log of a claimed run, until the run's one terminal entry is written or it is suspended,
 * whatever the engine does: replay, then drive, then suspend or end. Never throws. `closing` releases the run.
 */
export async function runAttempt(
  claim: ClaimedRun,
  ports: RunnerPorts,
  closing: AbortSignal,
): Promise<AttemptResult> {
  const { run } = claim
  const context = createRunContext(claim, ports)
  const { control } = context
  const over = new AbortController()
  const onClosing = (): void => control.abort({ kind: 'closing' } satisfies AbortCause)
  if (closing.aborted) onClosing()
  else closing.addEventListener('abort', onClosing)
  startDeadline(control, {
    seconds: ports.limits.runSeconds,
    workedMs: claim.history.past()?.workedMs ?? 0,
    waitedMs: () => context.waits.ms,
    until: over.signal,
  })
  const watching = context.external.watch(over.signal).catch((error: unknown) => {
    ports.report(error, run.id)
    control.abort({ kind: 'refused' } satisfies AbortCause)
  })
  try {
    const result = await replayAndDrive(context)
    if (result === 'released') ports.onReleased(run.id)
    return result
  } catch (error) {
    if (isServiceError(error, 'internal') && (await endUnstorable(claim, ports, error))) return 'ended'
    // The log takes nothing more: the process that claims the run next continues it.
    if (isServiceError(error, 'fenced') || isServiceError(error, 'run-closed')) ports.onFenced(run.id)
    else ports.report(error, run.id)
    await releaseReaders(run.id, error, ports)
    return 'released'
  } finally {
    over.abort()
    closing.removeEventListener('abort', onClosing)
    await watching
  }
}

async function replayAndDrive(context: RunContext): Promise<AttemptResult> {
  const { history, external } = context
  const past = history.past()
  if (past) await replay(context, past)
  for (;;) {
    const outcome = await drive(context)
    const result = await conclude(context, outcome)
    if (result !== 'addressed') return result
    external.take(await history.advance())
  }
}

/** Closes what an earlier attempt has cut off, and settles its calls by what the log says of each. */
async function replay(context: RunContext, past: Past): Promise<void> {
  const { run, epoch, writer, tracker, external, control, history, isHandedOver } = context
  const stop = past.events.find((event) => event.type === 'run.stop-requested')
  if (stop) return control.abort(stopCause(stop))
  // The first attempt: the run was stopped or spoken to while it was queued.
  if (epoch === 1) return
  const resumed = resumption(past, isHandedOver)
  if (isGivenUp(run, resumed, past)) {
    // A run that waits cannot fail.
    if (resumed.because === 'answer') void writer.write(resumed)
    return control.abort({ kind: 'crashed' } satisfies AbortCause)
  }
  for (const event of [resumed, ...tracker.cutOff(cutOff, () => promptTokens(context))])
    void writer.write(event)
  for (const message of supersedingMessages(past)) external.addMessage(message)
  // What kills this process next must find the attempt counted.
  await writer.flush()
  await context.ports.journal?.resumed(run, { ...resumed, epoch, model: tracker.model })
  const host = createEngineHost(context)
  host.resume(unsettledCalls(past))
  await host.settled()
  await host.close()
  if (control.signal.aborted) return
  await writer.flush()
  external.take(await history.advance())
}

/** Runs the engine, unless the run is aborted or the model has said all. */
async function drive(context: RunContext): Promise<EngineOutcome> {
  const { history, external, control } = context
  const pending = external.pendingMessages()
  const past = history.past(pending)
  const host = createEngineHost(context)
  const isOver = past !== undefined && isComplete(past) && pending.size === 0
  const outcome: EngineOutcome =
    control.signal.aborted || isOver ? { kind: 'returned' } : await runEngine(context, host, past)
  // An engine that threw may have left tools at work.
  await host.close()
  return outcome
}

/** Ends the run, unless it is suspended or released, or the user has addressed it at the last moment. */
async function conclude(context: RunContext, outcome: EngineOutcome): Promise<AttemptResult | 'addressed'> {
  const { run, writer, control } = context
  const cause = abortCause(control.signal)
  if (cause?.kind === 'suspended') return 'suspended'
  if (cause?.kind === 'refused') {
    await writer.flush()
    throw new ServiceError('unavailable', 'The log of the run cannot be followed right now.')
  }
  if (cause?.kind === 'closing' && run.onCrash === 'continue') {
    await writer.flush()
    await context.ports.store.release(run.id, context.epoch)
    context.ports.journal?.handedOver(run, { model: context.tracker.model })
    return 'released'
  }
  return endRun(context, outcome, cause)
}

const cutOff = toFailure(
  new ServiceError('interrupted', 'The server was interrupted before this call was complete.'),
)

/**
 * Ends a run of which the store has refused an entry for good, from what its log holds: the entry would be made and
 * refused again. False if the log does not take the end either.
 */
async function endUnstorable(claim: ClaimedRun, ports: RunnerPorts, cause: unknown): Promise<boolean> {
  const error = new ServiceError('internal', 'The run produced something that cannot be stored.', { cause })
  try {
    await claim.history.advance()
    await endRun(createRunContext(claim, ports), { kind: 'threw', error }, undefined)
    return true
  } catch (refusal) {
    ports.report(refusal, claim.run.id)
    return false
  }
}
