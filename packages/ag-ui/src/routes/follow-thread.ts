import type { Context } from 'hono'

import { isLive } from 'dragoman/events'
import { agUiProtocol, replay } from '../protocol/index.ts'
import type { HttpEnv } from 'dragoman/http'
import type { MessagePage } from 'dragoman/threads'
import { lastState } from './start-run.ts'
import {
  MAX_HISTORY_BYTES,
  readMessages,
  sizeOf,
  readCursor,
  deliverPage,
  type Conversations,
} from 'dragoman/surfaces'
import { streamPart } from './stream-part.ts'

const MAX_MESSAGES = 200

/** A thread and a look at it, by the client's names. */
export type ThreadReference = {
  readonly agent: string
  readonly threadId: string
  readonly runId: string
  /** The protocol version of the client. */
  readonly version?: string | undefined
}

/**
 * Sends a thread to a client that has none of it: the messages and, if a run is live, that run from its start to its
 * end or to where it waits. So page tools and approvals are asked again.
 */
export async function followThread(
  c: Context<HttpEnv>,
  { agent, threadId, runId, version }: ThreadReference,
  ports: Pick<Conversations, 'runs' | 'replies' | 'threads' | 'messagePages' | 'projector'>,
): Promise<Response> {
  const { runs, threads, messagePages, projector } = ports
  const thread = await threads.find(c.get('userId'), threadId, agent)
  const run = thread && (await runs.current(thread.id))
  const view = agUiProtocol.view({ threadId, replays: true, ...(version !== undefined && { version }) }, {})
  // A client that comes back has begun with that run.
  if (run && (isLive(run) || readCursor(c))) return streamPart(c, run, { view }, ports)

  const found = thread ? await findRecent(thread.id, { messagePages, projector }) : []
  const make = async (): Promise<string> => {
    const past = {
      messages: await readMessages(found),
      state: thread ? await lastState(thread, { runs }) : null,
    }
    const frames = replay({ threadId, runId, view, ...(run && { run }), ...past })
    return frames.map((frame) => `data: ${frame}\n\n`).join('')
  }
  return deliverPage(
    c,
    { bytes: sizeOf(found), make },
    {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      ...(thread && { 'x-conversation-id': thread.id }),
    },
  )
}

/** The end of the chosen path, as far as it is not too large for a client in any case. */
async function findRecent(
  threadId: string,
  { messagePages, projector }: Pick<Conversations, 'messagePages' | 'projector'>,
): Promise<readonly MessagePage[]> {
  await projector.refresh(threadId)
  const { pages } = await messagePages.end(threadId, { limit: MAX_MESSAGES })
  const all = await Array.fromAsync(pages())
  let room = MAX_HISTORY_BYTES
  const first = all.findLastIndex(({ bytes }) => (room -= bytes) < 0)
  return all.slice(first + 1)
}
