import type { Context } from 'hono'

import { isLive } from 'dragoman/events'
import { agUiProtocol, toPageState } from '../protocol/index.ts'
import type { HttpEnv } from 'dragoman/http'
import { deliverPage, readMessages, sizeOf, readPage, type Conversations } from 'dragoman/surfaces'

/** What a page that opens asks for: a conversation, and the part of it that it shows. */
export type PageRequest = {
  readonly agent: string
  readonly threadId: string
  readonly limit: number
  readonly before?: string
}

/** Whether a client asks for JSON, as pages of TanStack AI do when they open. Streams are asked for otherwise. */
export function asksForJson(c: Context<HttpEnv>): boolean {
  return (c.req.header('accept') ?? '').includes('application/json')
}

/** Sends a conversation to a page that opens, with what it waits for. A new one is empty. */
export async function openPage(
  c: Context<HttpEnv>,
  { agent, threadId, ...page }: PageRequest,
  { runs, threads, history, messagePages, projector }: Conversations,
): Promise<Response> {
  const thread = await threads.find(c.get('userId'), threadId, agent)
  const run = thread && (await runs.current(thread.id))
  if (!thread || !run)
    return c.json({ messages: [], activeRun: null, interrupts: null, page: { truncated: false } })
  const live = isLive(run) ? { run, entries: await runs.structure(run) } : undefined
  await (live ? projector.upTo(thread.id) : projector.refresh(thread.id))
  const { places, pages } = await readPage(thread.id, page, { history, messagePages })
  const found = await Array.fromAsync(pages())
  const [oldest] = places
  const hasMore = places.length === page.limit && oldest?.parentId
  const make = async (): Promise<string> => {
    const view = agUiProtocol.view({ threadId }, {})
    const state = toPageState({ run, view, messages: await readMessages(found), live })
    return JSON.stringify({
      ...state,
      page: hasMore ? { truncated: true, cursor: oldest.id } : { truncated: false },
    })
  }
  return deliverPage(c, { bytes: sizeOf(found), make }, { 'x-conversation-id': thread.id })
}
