import { isServiceError, ServiceError, toFailure } from '../errors.ts'
import type { RunEvent } from '../events/index.ts'
import { outsideIn, type OutsideEntry } from '../log/index.ts'
import type { Claimed } from './claimed.ts'
import type { Cause } from './cause.ts'
import type { Desk } from './desk.ts'
import type { OpenCalls } from './open-calls.ts'

/** How a call fails whose user has said something else in place of an answer. */
export const saidElse = toFailure(
  new ServiceError('unanswered', 'The user has said something else, and has not answered.'),
)

type Left = {
  /** What is written before the run is parked. */
  readonly last: RunEvent | undefined
  readonly open: OpenCalls
  /** Whether the user has said something that the engine has yet to hear. */
  readonly isAddressed: boolean
  readonly hear: (entry: OutsideEntry) => void
}

/**
 * Where only questions are left the claim is given up until the answers are there; a message of the user's settles them instead. Neither,
 * where somebody has said something meanwhile: then that is heard first.
 */
export async function leaveOpen(
  { run, epoch }: Claimed,
  { ports, writer, told, control }: Desk,
  { last, open, isAddressed, hear }: Left,
): Promise<'parked' | 'settled' | 'heard'> {
  const ifLast = await writer.flush()
  const calls = told.asked
  const events: RunEvent[] = isAddressed
    ? calls.map((callId) => ({ type: 'tool.failed', callId, failure: saidElse }))
    : [...(last ? [last] : []), { type: 'run.waiting', calls }]
  try {
    const entries = await ports.log.append(run.id, events, { epoch, ifLast })
    writer.saw(entries.at(-1)?.seq ?? ifLast)
  } catch (error) {
    if (!isServiceError(error, 'conflict')) throw error
    await hearOutside(run.id, { ports, writer }, ifLast, hear)
    return 'heard'
  }
  for (const event of events) told.note(event)
  if (isAddressed) {
    for (const callId of calls) open.answer(callId, 'unanswered')
    return 'settled'
  }
  control.abort({ kind: 'waiting' } satisfies Cause)
  return 'parked'
}

/** Hears what others have written after a place, and takes note that it is known. Of the shared state every change is heard, in its order. */
export async function hearOutside(
  runId: string,
  { ports, writer }: Pick<Desk, 'ports' | 'writer'>,
  after: number,
  hear: (entry: OutsideEntry) => void,
): Promise<void> {
  const what = { structure: true, limit: Number.MAX_SAFE_INTEGER } as const
  const entries = await ports.store.read(runId, 0, what)
  writer.saw(entries.at(-1)?.seq ?? after)
  for (const entry of outsideIn(entries))
    if (entry.seq > after || entry.event.type === 'state.changed') hear(entry)
}
