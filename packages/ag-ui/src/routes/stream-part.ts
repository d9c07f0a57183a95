import type { Context } from 'hono'

import type { Run } from 'dragoman/events'
import { agUiProtocol } from '../protocol/index.ts'
import type { HttpEnv } from 'dragoman/http'
import { readCursor, type Replies, type Conversations } from 'dragoman/surfaces'
import { withSnapshot } from './with-snapshot.ts'

/** Names the stream for clients that come back for its rest. */
const STREAM_ID_HEADER = 'x-resumable-stream-id'

type Part = Omit<Parameters<Replies['stream']>[2], 'protocol'>

/**
 * Sends a part of a run. A client that comes back gets what follows its `Last-Event-ID`. Only a request with a view
 * says which ids its client knows, so only that gets a snapshot.
 */
export async function streamPart(
  c: Context<HttpEnv>,
  run: Run,
  part: Part,
  { replies, ...ports }: Pick<Conversations, 'replies' | 'runs' | 'messagePages' | 'projector'>,
): Promise<Response> {
  c.header(STREAM_ID_HEADER, run.id)
  const { view } = part
  const extend: Part['extend'] =
    view === undefined ? undefined : (feed, pages) => withSnapshot(feed, pages, { run, view }, ports)
  return replies.stream(c, run, {
    protocol: agUiProtocol,
    ...part,
    cursor: readCursor(c),
    ...(extend && { extend }),
  })
}
