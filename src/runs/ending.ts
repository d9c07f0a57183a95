import { isServiceError, ServiceError, toFailure } from '../errors.ts'
import { estimateTokens, type Failure, type TerminalEvent } from '../events/index.ts'
import type { Cause, Claimed } from './claimed.ts'
import type { Outcome } from './driven.ts'
import type { Desk, Host } from './host.ts'
import { hearOutside } from './parking.ts'
import type { OpenState } from './transcript-state.ts'
import type { Transcript } from './transcript.ts'

type Ending = { readonly host: Host; readonly outcome: Outcome; readonly cause: Cause | undefined }

/**
 * Closes what is open and writes the terminal entry. What somebody has said meanwhile comes first: a stop counts, and a message is answered
 * before the run may end.
 */
export async function end(
  { run, epoch, history, staff }: Claimed,
  { ports, writer, told, control }: Desk,
  { host, outcome, cause: first }: Ending,
): Promise<'ended' | 'addressed'> {
  if (outcome.kind === 'threw' && !first) ports.report(outcome.error, run.id)
  const inputTokens = (): number => estimateTokens(staff.agent.instructions + JSON.stringify(history))
  const closing = told.closing((state) => leftOpen(state, first), inputTokens)
  for (let cause = first; ;) {
    const ifLast = await writer.flush()
    try {
      await ports.log.append(run.id, [...closing, terminalOf(cause, outcome, told)], { epoch, ifLast })
      return 'ended'
    } catch (error) {
      if (!isServiceError(error, 'conflict')) throw error
    }
    await hearOutside(run.id, { ports, writer }, ifLast, host.hear)
    if (!cause && control.signal.aborted) cause = control.signal.reason as Cause
    if (cause || outcome.kind === 'threw' || host.unheard.size === 0) continue
    for (const event of closing) void writer.write(event)
    await writer.flush()
    return 'addressed'
  }
}

/** How a call fails that has no outcome when its run ends. */
function leftOpen(state: OpenState, cause: Cause | undefined): Failure {
  // Its tool may have done its work.
  if (state === 'executing') return outcomeUnknown
  if (state === 'asked') return unanswered
  if (cause?.kind === 'stopped') return toFailure(new ServiceError('aborted', 'The run was stopped.'))
  return toFailure(new ServiceError('interrupted', 'The run ended before this call had an outcome.'))
}

const outcomeUnknown = toFailure(
  new ServiceError(
    'outcome-unknown',
    'The run ended while this tool ran: whether it has done its work is not known.',
  ),
)
const unanswered = toFailure(new ServiceError('unanswered', 'The run ended before this was answered.'))

function terminalOf(
  cause: Cause | undefined,
  outcome: Outcome,
  { usage, reason }: Transcript,
): TerminalEvent {
  if (cause?.kind === 'stopped') return { type: 'run.cancelled', by: cause.by, usage }
  if (cause) return { type: 'run.failed', failure: interrupted, usage }
  if (outcome.kind === 'threw') return { type: 'run.failed', failure: toFailure(outcome.error), usage }
  return { type: 'run.finished', reason, usage }
}

const interrupted = toFailure(
  new ServiceError('interrupted', 'The server was interrupted before the answer was complete.'),
)
