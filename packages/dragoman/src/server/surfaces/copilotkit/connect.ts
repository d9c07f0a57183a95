import type { Context } from 'hono'

import { isLive, type Json, type Message } from '../../../events/index.ts'
import { agUi, parseBody, replay } from '../../../protocols/index.ts'
import type { HttpEnv } from '../../http/index.ts'
import { lastState } from '../ag-ui/start-run.ts'
import type { Conversations } from '../surface-services.ts'
import { connectBody } from './openapi.ts'

const MAX_MESSAGES = 200

/**
 * Sends a thread to a client that has none of it: the messages and, if a run is live, that run from its start to its
 * end or to where it waits. So page tools and approvals are asked again.
 */
export async function connect(
  c: Context<HttpEnv>,
  { agent, body = null }: { readonly agent: string; readonly body: Json | undefined },
  { runs, replies, threads, history, projector }: Conversations,
): Promise<Response> {
  const { threadId, runId, protocolVersion: version } = parseBody(connectBody, body)
  const thread = await threads.find(c.get('userId'), threadId, agent)
  const run = thread && (await runs.current(thread.id))
  const view = agUi.view({ threadId, replays: true, ...(version !== undefined && { version }) }, {})
  if (run && isLive(run)) return replies.stream(c, run, { protocol: agUi, view })

  const past = async (): Promise<{ messages: readonly Message[]; state: Json }> => {
    if (!thread) return { messages: [], state: null }
    await projector.upTo(thread.id)
    const path = await history.path(thread.id, { limit: MAX_MESSAGES })
    return { messages: path.map(({ message }) => message), state: await lastState(thread, { runs }) }
  }
  const frames = replay({ threadId, runId, view, ...(run && { run }), ...(await past()) })
  return c.body(frames.map((frame) => `data: ${frame}\n\n`).join(''), 200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    ...(thread && { 'x-conversation-id': thread.id }),
  })
}
