import {
  isForPerson,
  isTerminal,
  pausesAfter,
  waitingCalls,
  type LogEntry,
  type RunEvent,
} from '../../events/index.ts'
import type { Encoder, Framing, Protocol } from '../../protocols/index.ts'
import { formatFrameCursor } from './cursor.ts'

/** The bytes of the entries `from` to `to`. Nothing follows a chunk that is `last`. */
export type Chunk = {
  readonly from: number
  readonly to: number
  readonly bytes: Uint8Array
  readonly last: boolean
}

/**
 * Encodes entries as the bytes of a body. `skip` leaves out frames of the first entry; `more` means that other
 * entries follow at once.
 */
export function encodeEntries(
  entries: readonly LogEntry[],
  {
    encoder,
    framing,
    eventName,
    numbered,
    ends = isTerminal,
    skip = 0,
    more = false,
  }: {
    encoder: Encoder
    framing: Framing
    eventName?: string | undefined
    numbered: boolean
    ends?: EndDetector
    skip?: number
    more?: boolean
  },
): Chunk {
  const eventLine = eventName === undefined ? '' : `event: ${eventName}\n`
  let text = ''
  let last = false
  for (const [place, entry] of entries.entries()) {
    const frames = encoder(entry, more || place < entries.length - 1)
    last = ends(entry.event)
    for (const [index, frame] of frames.entries()) {
      // An entry's last frame is never skipped: it has the entry's own cursor.
      if (place === 0 && index < Math.min(skip, frames.length - 1)) continue
      if (framing === 'lines') text += `${frame}\n`
      else if (numbered)
        text += `id: ${formatFrameCursor(entry, index, frames.length)}\n${eventLine}data: ${frame}\n\n`
      else text += `${eventLine}data: ${frame}\n\n`
    }
  }
  return { from: entries[0]?.seq ?? 0, to: entries.at(-1)?.seq ?? 0, bytes: Buffer.from(text), last }
}

/**
 * Whether a body ends after an event, if nothing follows. It must be called with every structural event of a log, in
 * order.
 */
export type EndDetector = (event: RunEvent) => boolean

/** A body ends with its run and, if the protocol says so, while the run waits. */
export function createEndDetector({ endsAtWaiting }: Protocol): EndDetector {
  let waiting: readonly string[] = []
  const approvals = new Set<string>()
  return (event) => {
    waiting = waitingCalls(waiting, event)
    if (event.type === 'tool.asked' && isForPerson(event.question)) approvals.add(event.callId)
    else if (event.type === 'tool.asked') approvals.delete(event.callId)
    if (isTerminal(event)) return true
    const isEnd =
      endsAtWaiting === 'approvals' ? waiting.every((callId) => approvals.has(callId)) : endsAtWaiting
    return isEnd && pausesAfter(event, waiting)
  }
}

/** For a reader that joins where parts are open: it gets nothing before the next step or the end of the run. */
export function skipToNextStep(encoder: Encoder, after: number): Encoder {
  let hasBegun = false
  return (entry, more) => {
    const frames = encoder(entry, more)
    const { type } = entry.event
    const isStart = type === 'step.started' || type === 'run.waiting' || isTerminal(entry.event)
    hasBegun ||= isStart && entry.seq > after
    return hasBegun ? frames : []
  }
}
