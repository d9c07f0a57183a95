import { isTerminal, type LogEntry, type Run, type TerminalEvent } from 'dragoman/events'
import { fileReferences } from './file-references.ts'
import { toRunEndNotice } from '../run-end-notice.ts'
import type { Names } from './envelope-view.ts'
import type { LegacyFrame } from './wire.ts'

type LegacyFrames = { readonly before: readonly LegacyFrame[]; readonly after: readonly LegacyFrame[] }

/** The legacy frames before and after the envelopes of an entry. They come at the start and at the end of a run. */
export function legacyFrames({ at: timestamp, event }: LogEntry, run: Run, names: Names): LegacyFrames {
  if (event.type === 'run.started') {
    const references = fileReferences(run)
    const before: LegacyFrame[] = [{ type: 'connected', ...names, timestamp }]
    if (references) before.push({ type: 'file_references', ...references, timestamp })
    return { before, after: [] }
  }
  if (!isTerminal(event)) return { before: [], after: [] }
  const notice = toRunEndNotice(event)
  const before = notice ? [toFrame(event, notice, timestamp)] : []
  return { before, after: [{ type: 'stream_end', ...names, timestamp }] }
}

function toFrame(
  { type }: TerminalEvent,
  { type: kind, value: { message, code } }: NonNullable<ReturnType<typeof toRunEndNotice>>,
  timestamp: number,
): LegacyFrame {
  if (kind === 'error') return { type: kind, error: message, code, timestamp }
  return { type: type === 'run.cancelled' ? 'cancelled' : kind, message, timestamp }
}
