import { ServiceError } from '../../errors.ts'
import { entryMark, type Json, type RunSummary } from '../../events/index.ts'
import { readPage, readPages, type Store } from '../../log/index.ts'
import { lastEntryOf, parseCursor, type Cursor } from './cursor.ts'

/**
 * Gives a cursor with the mark of its entry. What a client sends as text is compared with the log: after a restore to
 * an earlier point, its entry may be gone, or be another one.
 * @throws ServiceError `cursor-ahead` if the log has no such entry, `cursor-unknown` if it may be another one
 */
export async function checkCursor(
  store: Pick<Store, 'read'>,
  run: RunSummary,
  cursor: string | Cursor,
): Promise<Cursor> {
  const place = typeof cursor === 'string' ? parseCursor(cursor) : cursor
  const seq = lastEntryOf(place)
  if (seq > run.lastSeq) throw cursorAhead(run)
  if (seq === 0) return place
  const [entry] = await readPage((maxBytes) => store.read(run.id, seq - 1, { to: seq, limit: 1, maxBytes }))
  const mark = entry && entryMark(entry)
  if (mark === undefined || (place.mark !== undefined && place.mark !== mark))
    throw cursorUnknown(
      run,
      `Entry ${seq} of run ${run.id} is not that of this cursor: its log was restored.`,
    )
  if (place.mark === undefined && typeof cursor === 'string' && (await isContinued(store, run, seq)))
    throw cursorUnknown(
      run,
      `Another process has continued run ${run.id}: only an event's whole id is a cursor.`,
    )
  return { ...place, mark }
}

/** Whether another process than the first has written the log up to an entry: after a restore, one does. */
async function isContinued(store: Pick<Store, 'read'>, { id }: RunSummary, to: number): Promise<boolean> {
  for await (const page of readPages(store, id, 1, { structure: true, to }))
    if (page.some(({ event }) => event.type === 'run.resumed' && event.because !== 'answer')) return true
  return false
}

export function cursorAhead(run: RunSummary): ServiceError {
  const details = detailsOf(run)
  return new ServiceError('cursor-ahead', `Run ${run.id} has only ${run.lastSeq} entries.`, { details })
}

function cursorUnknown(run: RunSummary, reason: string): ServiceError {
  const details = detailsOf(run)
  return new ServiceError('cursor-unknown', `${reason} Load the conversation again.`, { details })
}

/** What a client needs to begin again. */
function detailsOf({ id, messageId, threadId, lastSeq }: RunSummary): Readonly<Record<string, Json>> {
  const history = `/v1/threads/${threadId}/messages`
  return { runId: id, messageId, conversationId: threadId, last: lastSeq, history }
}
