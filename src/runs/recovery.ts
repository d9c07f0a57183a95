import { isServiceError, ServiceError, toFailure } from '../errors.ts'
import { estimateTokens, isLive, type Run, type RunEvent, type TerminalEvent } from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'
import { transcript } from './transcript.ts'

/**
 * Ends a run that nobody holds: cancelled where a stop was asked for, else failed as `interrupted`. What it left open is closed
 * first; a tool that had begun has an unknown outcome. Nothing happens where somebody holds it.
 */
export async function endAbandoned(
  run: Run,
  { store, log, owner }: { store: Store; log: RunLog; owner: string },
): Promise<void> {
  const epoch = await store.claim(run.id, owner)
  if (epoch === undefined) return
  for (;;) {
    const current = await store.get(run.id)
    if (!current || !isLive(current)) return
    const entries = await store.read(run.id, 0, { limit: Number.MAX_SAFE_INTEGER })
    const events = entries.map(({ event }) => event)
    const told = transcript(run.id, events)
    const closing = told.closing(interrupted, () => estimateTokens(JSON.stringify(run.request)))
    const lost = withUnknownOutcomes(closing, events)
    const stop = events.find((event) => event.type === 'run.stop-requested')
    const terminal: TerminalEvent = stop
      ? { type: 'run.cancelled', by: stop.by, usage: told.usage }
      : { type: 'run.failed', failure: interrupted, usage: told.usage }
    try {
      await log.append(run.id, [...lost, terminal], { epoch, ifLast: entries.at(-1)?.seq ?? 0 })
      return
    } catch (error) {
      if (!isServiceError(error, 'conflict')) throw error
    }
  }
}

/** A tool that had begun may have done its work. */
function withUnknownOutcomes(closing: readonly RunEvent[], events: readonly RunEvent[]): RunEvent[] {
  const begun = new Set<string>()
  for (const event of events) if (event.type === 'tool.executing') begun.add(event.callId)
  const unknown = (callId: string): RunEvent => ({ type: 'tool.failed', callId, failure: outcomeUnknown })
  return closing.map((event) =>
    event.type === 'tool.failed' && begun.has(event.callId) ? unknown(event.callId) : event,
  )
}

const interrupted = toFailure(
  new ServiceError('interrupted', 'The server was interrupted before the answer was complete.'),
)
const outcomeUnknown = toFailure(
  new ServiceError(
    'outcome-unknown',
    'The server was interrupted while this tool ran: whether it has done its work is not known.',
  ),
)
