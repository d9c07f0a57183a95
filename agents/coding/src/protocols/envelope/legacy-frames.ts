import { isTerminal, type LogEntry, type Run } from 'dragoman/events'
import { fileReferences } from './file-references.ts'
import { toRunEndNotice } from './run-end-notice.ts'
import type { Names } from './envelope-view.ts'
import type { LegacyFrame } from './wire.ts'

type LegacyFrames = { readonly before: readonly LegacyFrame[]; readonly after: readonly LegacyFrame[] }

/** The legacy frames before and after the envelopes of an entry. They come at the start and at the end of a run. */
export function legacyFrames({ at: timestamp, event }: LogEntry, run: Run, names: Names): LegacyFrames {
  if (event.type === 'run.started') {
    const value = fileReferences(run)
    const references: LegacyFrame[] = value.length > 0 ? [{ type: 'file_references', value, timestamp }] : []
    return { before: [{ type: 'connected', ...names }, ...references], after: [] }
  }
  if (!isTerminal(event)) return { before: [], after: [] }
  const notice = toRunEndNotice(event)
  const type = event.type === 'run.cancelled' ? 'cancelled' : notice?.type
  const notices: LegacyFrame[] = notice && type ? [{ type, value: notice.value, timestamp }] : []
  return { before: notices, after: [{ type: 'stream_end', ...names }] }
}
