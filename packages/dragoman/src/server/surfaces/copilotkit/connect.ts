import type { Context } from 'hono'

import { isLive, type Json, type Message } from '../../../events/index.ts'
import { agUi, parseBody, replay } from '../../../protocols/index.ts'
import type { HttpEnv } from '../../http/index.ts'
import { lastState } from '../ag-ui/start-run.ts'
import type { Conversations } from '../surface-services.ts'
import { connectBody } from './operations.ts'

/** Messages that one who comes back is told of, at most: the last. */
const MAX_MESSAGES = 200

/**
 * Shows a conversation to one who has none of it: what was said and, where a run goes on or waits, that run from its beginning, up to its
 * end or to where it waits. So what a page's tools are asked is asked again, and so is a yes.
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
