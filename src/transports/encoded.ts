import { isTerminal, type LogEntry } from '../events/index.ts'
import type { Encoder, Framing, Protocol } from '../protocols/index.ts'
import { cursorOf } from './cursor.ts'

/** The bytes of the entries `from` to `to`. After the `last` there is nothing more to send. */
export type Chunk = {
  readonly from: number
  readonly to: number
  readonly bytes: Uint8Array
  readonly last: boolean
}

const utf8 = new TextEncoder()

/** Writes entries as a body's bytes. `skip` leaves out frames of the first entry. */
export function encodeEntries(
  entries: readonly LogEntry[],
  {
    encoder,
    framing,
    numbered,
    endsAtWaiting,
    skip = 0,
  }: { encoder: Encoder; framing: Framing; numbered: boolean; endsAtWaiting: boolean; skip?: number },
): Chunk {
  let text = ''
  for (const [place, entry] of entries.entries()) {
    const frames = encoder(entry)
    for (const [index, frame] of frames.entries()) {
      // Never all of it, whatever the cursor says: an entry's last frame has the entry's own cursor.
      if (place === 0 && index < Math.min(skip, frames.length - 1)) continue
      if (framing === 'lines') text += `${frame}\n`
      else if (numbered) text += `id: ${cursorOf(entry.seq, index, frames.length)}\ndata: ${frame}\n\n`
      else text += `data: ${frame}\n\n`
    }
  }
  const end = entries.at(-1)
  return {
    from: entries[0]?.seq ?? 0,
    to: end?.seq ?? 0,
    bytes: utf8.encode(text),
    last: end !== undefined && (isTerminal(end.event) || (endsAtWaiting && end.event.type === 'run.waiting')),
  }
}

/** What makes two readers' bytes equal. */
export function shareKey(runId: string, protocol: Protocol, view: unknown, numbered: boolean): string {
  return JSON.stringify([runId, protocol.name, numbered, view])
}
