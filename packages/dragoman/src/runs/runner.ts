import { z } from 'zod'

import type { ServerTool } from '../agent/index.ts'
import type { EngineJob } from '../engines/index.ts'
import { isServiceError, ServiceError, toFailure } from '../errors.ts'
import { estimateTokens } from '../events/index.ts'
import { logWriter } from '../log/index.ts'
import type { Cause, Claimed, RunnerPorts } from './claimed.ts'
import { driven, type Outcome } from './driven.ts'
import { end } from './ending.ts'
import { hostOf, type Desk, type Host } from './host.ts'
import { inTime } from './in-time.ts'
import {
  isGivenUp,
  isSaid,
  pastOf,
  resumption,
  saidInstead,
  stepsTaken,
  unsettled,
  type Past,
} from './recovery.ts'
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
  const host = hostOf(claimed, desk)
  const heeding = heed(claimed, desk, { host, until: over.signal })
  try {
    const how = await drive(claimed, desk, host)
    if (how === 'left') ports.letGo(run.id)
    return how
  } catch (error) {
    // The log took nothing more: the run is let go, and whoever claims it next goes on with it.
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
      ? await driven(claimed.staff.engine, jobOf(claimed, desk, past), host, ports.report)
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
  { ports, control }: Desk,
  { host, until }: { host: Host; until: AbortSignal },
): Promise<void> {
  try {
    for await (const entry of ports.log.fromOutside(run.id, past?.last ?? 0, until)) host.hear(entry)
  } catch (error) {
    ports.report(error, run.id)
    control.abort({ kind: 'refused' } satisfies Cause)
  }
}

/** Closes what was cut off and settles what was called, by what the log says of each call. Gives what stands in the log then. */
async function takeUp(
  { run, epoch, staff, history, hasDied }: Claimed,
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
  const resumed = resumption(past, hasDied)
  if (isGivenUp(run, resumed)) {
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

function jobOf(claimed: Claimed, desk: Desk, past: Past | undefined): EngineJob {
  const { run, staff, history } = claimed
  return {
    agent: staff.agent,
    userId: run.userId,
    context: run.request.context,
    tools: [
      ...staff.tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        inputSchema: inputSchemaOf(tool),
      })),
      ...run.request.tools,
    ],
    history,
    ...(past && { soFar: past.message }),
    stepsLeft: staff.agent.maxSteps - (past ? stepsTaken(past) : 0),
    ...reviewOf(claimed, desk),
  }
}

/** What fails is no reason for the run to: the answer stays as it is. */
function reviewOf({ run, staff }: Claimed, { ports, control }: Desk): Pick<EngineJob, 'review'> {
  const { review } = staff
  if (!review) return {}
  const { userId, threadId: conversation, request } = run
  return {
    review: (said) =>
      inTime(control.signal, (signal) =>
        review({ userId, conversation, context: request.context, said, signal }),
      ).catch((error: unknown) => {
        if (!control.signal.aborted) ports.report(error, run.id)
        return undefined
      }),
  }
}

type InputSchema = EngineJob['tools'][number]['inputSchema']

/** Made once for each tool: making it costs more than a step of a run. */
const inputSchemas = new WeakMap<ServerTool, InputSchema>()

function inputSchemaOf(tool: ServerTool): InputSchema {
  const made = inputSchemas.get(tool) ?? (z.toJSONSchema(tool.input, { io: 'input' }) as InputSchema)
  inputSchemas.set(tool, made)
  return made
}
