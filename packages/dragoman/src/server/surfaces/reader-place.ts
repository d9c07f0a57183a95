import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import { isLive, type Run } from '../../events/index.ts'
import type { Cursor, FanOut, ReadRequest } from '../fan-out/index.ts'

/** The cursor of a resume: the standard header, which an EventSource adds to its original URL, or `?after=`. */
export function readCursor(c: Context): string | undefined {
  return (c.req.header('last-event-id') ?? c.req.query('after')) || undefined
}

/** Where a body begins: after what the client has, if that is later. */
export async function locateStart(
  fanOut: FanOut,
  run: Run,
  { after, cursor }: { readonly after?: Cursor | undefined; readonly cursor?: string | undefined },
): Promise<Cursor | undefined> {
  const start = laterOf(after, cursor === undefined ? undefined : await fanOut.locate(run, cursor))
  return start && fanOut.locate(run, start)
}

function laterOf(one: Cursor | undefined, other: Cursor | undefined): Cursor | undefined {
  if (!one || !other) return one ?? other
  return other.seq > one.seq || (other.seq === one.seq && other.frames > one.frames) ? other : one
}

/** Whether nothing comes after a cursor: of the run, or of the part up to `to`. */
export function endsAt(run: Run, { seq }: Cursor, to: number | undefined): boolean {
  return (seq === run.lastSeq && !isLive(run)) || (to !== undefined && seq >= to)
}

/** The cursor for a client that counts chunks, and the header with the last index. */
export async function findChunkPosition(
  fanOut: FanOut,
  request: ReadRequest,
  startIndex: number | undefined,
) {
  if (startIndex === undefined) return undefined
  const { after, lastIndex } = await fanOut.findChunk(request, startIndex)
  return {
    after: await fanOut.locate(request.run, after),
    headers: { 'x-workflow-stream-tail-index': String(lastIndex) },
  }
}

/** The chunk index of AI SDK's `WorkflowChatTransport`. A negative one counts from the end. */
export function readStartIndex(c: Context): number | undefined {
  const text = c.req.query('startIndex')
  if (text === undefined) return undefined
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  throw new ServiceError('invalid-request', 'startIndex must be a whole number of chunks, like 12 or -10.')
}
