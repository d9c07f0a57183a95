import { inputSchemaOf, type EngineJob } from '../agents/index.ts'
import { withTimeout } from '../async/index.ts'
import { isServiceError, ServiceError, toFailure } from '../errors.ts'
import { estimateTokens } from '../events/index.ts'
import { logWriter } from '../log/index.ts'
import type { Claimed, RunnerPorts } from './claimed.ts'
import type { Cause } from './cause.ts'
import { startDeadline } from './deadline.ts'
import { driven, type Outcome } from './driven.ts'
import { end } from './ending.ts'
import { hostOf, type Host } from './host.ts'
import type { Desk } from './desk.ts'
import { PREPARE_TIMEOUT_MS } from './in-time.ts'
import { isGivenUp, isSaid, pastOf, resumption, saidInstead, stepsTaken, unsettled } from './recovery.ts'
import type { Past } from './past.ts'
import { transcript } from './transcript.ts'

/**
 * Joins an engine to the log of a claimed run, until the run's one terminal entry is written or it is parked, whatever the engine does.
 * Never throws. `closing` lets go of it: it is gone on with elsewhere, or here after a new start.
 */
export async function runToEnd(
  claimed: Claimed,
  ports: RunnerPorts,
  closing: AbortSignal,
): Promise<'ended' | 'parked' | 'left'> {
  const { run } = claimed
  const desk = deskOf(claimed, ports)
  const onClosing = (): void => desk.control.abort({ kind: 'closing' } satisfies Cause)
  closing.addEventListener('abort', onClosing)
  if (closing.aborted) onClosing()

  const over = new AbortController()
  startDeadline(desk.control, {
    seconds: ports.limits.runSeconds,
    workedMs: claimed.past?.workedMs ?? 0,
    until: over.signal,
  })
  const host = hostOf(claimed, desk)
  const heeding = heed(claimed, desk, { host, until: over.signal }).catch((error: unknown) => {
    ports.report(error, run.id)
    desk.control.abort({ kind: 'refused' } satisfies Cause)
  })
  try {
    const how = await drive(claimed, desk, host)
    if (how === 'left') ports.letGo(run.id)
    return how
  } catch (error) {
    if (isServiceError(error, 'internal') && (await endUnstorable(claimed, ports, error))) return 'ended'
    // The log took nothing more: the run is let go, and the process that claims it next goes on with it.
    if (isServiceError(error, 'fenced') || isServiceError(error, 'run-closed')) ports.taken(run.id)
    else ports.report(error, run.id)
    ports.letGo(run.id)
    return 'left'
  } finally {
    over.abort()
    closing.removeEventListener('abort', onClosing)
    await heeding
  }
}

/**
 * Ends a run of which the store has refused an entry for good, from what its log holds: the entry would be made and
 * refused again.
 * False where the log does not take the end either.
 */
async function endUnstorable(claimed: Claimed, ports: RunnerPorts, cause: unknown): Promise<boolean> {
  const error = new ServiceError('internal', 'The run produced something that cannot be stored.', { cause })
  try {
    const stored = { ...claimed, past: await pastOf(ports.store, claimed.run) }
    const desk = deskOf(stored, ports)
    await end(stored, desk, {
      host: hostOf(stored, desk),
      outcome: { kind: 'threw', error },
      cause: undefined,
    })
    return true
  } catch (refusal) {
    ports.report(refusal, claimed.run.id)
    return false
  }
}

function deskOf({ run, epoch, past }: Claimed, ports: RunnerPorts): Desk {
  const control = new AbortController()
  const writer = logWriter({
    log: ports.log,
    runId: run.id,
    epoch,
    lastSeq: past?.last ?? 1,
    onRefused: () => control.abort({ kind: 'refused' } satisfies Cause),
  })
  return { ports, writer, told: transcript(run.id, past?.events), control }
}

/** Goes on with what an earlier attempt left, then drives the engine, again where the user has said something at the last moment. */
async function drive(claimed: Claimed, desk: Desk, host: Host): Promise<'ended' | 'parked' | 'left'> {
  const { run } = claimed
  const { ports, writer, control } = desk
  let { past } = claimed
  if (past) past = await takeUp(claimed, desk, { host, past })
  for (;;) {
    const isOver = past !== undefined && isSaid(past) && host.unheard.size === 0
    const mayGoOn = !control.signal.aborted && !isOver
    const outcome: Outcome = mayGoOn
      ? await driven(claimed.staff.engine, () => jobOf(claimed, desk, past), host, ports.report)
      : { kind: 'returned' }
    // An engine that threw may have left tools at work.
    await host.close()
    const cause = control.signal.aborted ? (control.signal.reason as Cause) : undefined
    if (cause?.kind === 'waiting') return 'parked'
    if (cause?.kind === 'refused') {
      await writer.flush()
      throw new Error('What is said to the run can no longer be heard.')
    }
    if (cause?.kind === 'closing' && run.onCrash === 'continue') {
      await writer.flush()
      return 'left'
    }
    if ((await end(claimed, desk, { host, outcome, cause })) === 'ended') return 'ended'
    past = await pastOf(ports.store, run, host.unheard)
    host.reopen(past)
  }
}

/** Stops, answers and messages are entries of the log, whoever wrote them. */
async function heed(
  { run, past }: Claimed,
  { ports }: Desk,
  { host, until }: { host: Host; until: AbortSignal },
): Promise<void> {
  for await (const entry of ports.log.fromOutside(run.id, past?.last ?? 0, until)) host.hear(entry)
}

/** Closes what was cut off and settles what was called, by what the log says of each call. Gives what stands in the log then. */
async function takeUp(
  { run, epoch, staff, history }: Claimed,
  { ports, writer, told, control }: Desk,
  { host, past }: { host: Host; past: Past },
): Promise<Past> {
  const stop = past.events.find((event) => event.type === 'run.stop-requested')
  if (stop) {
    control.abort({ kind: 'stopped', by: stop.by } satisfies Cause)
    return past
  }
  // It was stopped or spoken to while it waited for its turn: it has only to begin.
  if (epoch === 1) return past
  const resumed = resumption(past)
  if (isGivenUp(run, resumed, past)) {
    control.abort({ kind: 'crashed' } satisfies Cause)
    return past
  }
  const inputTokens = (): number => estimateTokens(staff.agent.instructions + JSON.stringify(history))
  for (const event of [resumed, ...told.cut(cutOff, inputTokens)]) void writer.write(event)
  // What was said in place of an answer has yet to be heard.
  for (const event of saidInstead(past)) host.hear({ seq: past.last, event })
  // What kills this process next must find it counted.
  await writer.flush()
  host.goOn(unsettled(past))
  await host.settled()
  if (control.signal.aborted) return past
  await writer.flush()
  const now = await pastOf(ports.store, run, host.unheard)
  host.reopen(now)
  return now
}

const cutOff = toFailure(
  new ServiceError('interrupted', 'The server was interrupted before this call was complete.'),
)

async function jobOf(claimed: Claimed, desk: Desk, past: Past | undefined): Promise<EngineJob> {
  const { run, staff, history } = claimed
  const tools = await Promise.all(
    staff.agent.tools.map(async (tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: await inputSchemaOf(tool),
    })),
  )
  return {
    agent: staff.agent,
    userId: run.userId,
    context: run.request.context,
    tools: [...tools, ...run.request.tools],
    history,
    ...(past && { soFar: past.message }),
    stepsLeft: staff.agent.maxSteps - (past ? stepsTaken(past) : 0),
    ...reviewOf(claimed, desk),
  }
}

/** What fails is no reason for the run to: the answer stays as it is. */
function reviewOf({ run, staff }: Claimed, { ports, control }: Desk): Pick<EngineJob, 'review'> {
  const { outputGuardrail } = staff
  if (!outputGuardrail) return {}
  const { userId, threadId: conversation, request } = run
  return {
    review: (said) =>
      withTimeout(control.signal, PREPARE_TIMEOUT_MS, (signal) =>
        outputGuardrail({ userId, conversation, context: request.context, said, signal }),
      ).catch((error: unknown) => {
        if (!control.signal.aborted) ports.report(error, run.id)
        return undefined
      }),
  }
}
