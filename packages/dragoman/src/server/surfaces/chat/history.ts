import type { Context } from 'hono'
import type { z } from 'zod'

import { isLive, type Json, type Run, type Usage } from '../../../events/index.ts'
import { dataStream, toDataMessage, toUiMessage, uiMessageStream } from '../../../protocols/index.ts'
import type { PathEnd, StoredMessage, Thread } from '../../../threads/index.ts'
import type { HttpEnv } from '../../http/index.ts'
import type { Conversations } from '../surface-services.ts'
import { namedProtocol } from '../select-protocol.ts'
import * as operations from './openapi.ts'
import { readPage, readQuery } from '../paging.ts'
import { streamList } from '../stream-list.ts'

export type ChatOptions = Conversations & {
  /** The agent's id: its chat is at `/<agent>/chat`. */
  readonly agent: string
  /** The path of its chat, if it is not there. */
  readonly path?: string
}

/**
 * The messages of a thread and its live answer. `?format=ui` returns messages for `useChat`: without a streaming
 * answer, which a resume sends in full, and with a waiting one.
 */
export async function chatHistory(c: Context<HttpEnv>, options: ChatOptions): Promise<Response> {
  const { agent, protocols, threads, path = `/${agent}/chat` } = options
  const { conversationId: name, format, ...page } = readQuery(c, operations.historyQuery)
  const thread = await threads.find(c.get('userId'), name, agent)
  if (!thread) return c.json({ conversation: null, messages: [] })

  const { latest, answer, end } = await readConsistentPage(thread, page, options)
  const { places, read } = end
  const current = await threads.get(c.get('userId'), thread.id)
  const oldest = places[0]
  const more = places.length === page.limit && oldest?.parentId ? { before: oldest.id } : {}
  const isV4 = namedProtocol(c, protocols) === dataStream
  const convert = isV4 ? toDataStreamMessage : uiMessageConverter(c.req.query())
  const items = async function* (): AsyncGenerator<object> {
    for await (const batch of read()) {
      // The live answer may have grown: a resume continues from the version that was read first.
      for (const stored of batch.map((each) => (each.row.id === answer?.row.id ? answer : each))) {
        if (format !== 'ui') yield toRow(stored)
        else if (stored.message.role === 'user' || stored.message.status !== 'streaming')
          yield convert(stored) as object
      }
    }
  }
  const live = latest && toLive(latest, answer)
  const resume = isV4 ? `${path}?chatId=${latest?.id}` : `${path}/${latest?.id}/stream`
  return streamList(c, {
    before: { conversation: toConversation(current) },
    name: 'messages',
    items,
    after: {
      ...more,
      ...(live && { live: { ...live, ...(live.status === 'running' && { resume }) } }),
    },
  })
}

type Page = { readonly limit: number; readonly before?: string }

/** Reads a page and the last run consistently: if a run has started meanwhile, it reads again. */
async function readConsistentPage(
  thread: Thread,
  page: Page,
  { runs, projector, history, messagePages }: ChatOptions,
): Promise<{ latest: Run | undefined; answer: StoredMessage | undefined; end: PathEnd }> {
  for (;;) {
    const latest = await runs.current(thread.id)
    await projector.upTo(thread.id)
    const end = await readPage(thread.id, page, { history, messagePages })
    const isOnPage = latest && end.places.some(({ id }) => id === latest.messageId)
    const answer = isOnPage ? await history.find(thread.id, latest.messageId) : undefined
    if ((await runs.current(thread.id))?.id === latest?.id) return { latest, answer, end }
  }
}

/** What a resume must still send of a run. The row decides, so that nothing is missing or sent twice. */
function toLive(run: Run, answer: StoredMessage | undefined) {
  const row = answer?.message
  const status = row?.role === 'assistant' ? row.status : run.status
  if (!isLive(run) || status === 'finished' || status === 'failed' || status === 'cancelled') return undefined
  return {
    runId: run.id,
    messageId: run.messageId,
    cursor: run.lastSeq,
    status: status === 'waiting' ? status : ('running' as const),
  }
}

export function toConversation(thread: Thread): z.infer<typeof operations.conversationShape> {
  const { id, agent, clientId, title, createdAt, updatedAt, metadata } = thread
  return {
    id,
    agentId: agent,
    clientId: clientId ?? null,
    title: title ?? null,
    createdAt,
    updatedAt,
    metadata,
  }
}

function toRow({ row }: StoredMessage): z.infer<typeof operations.messageRowShape> {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    role: row.role,
    content: row.content,
    reasoning: row.reasoning,
    toolCalls: row.tool_calls === null ? null : (JSON.parse(row.tool_calls) as Json),
    timestamp: row.timestamp,
    finishReason: row.finish_reason,
    usage: row.usage === null ? null : toTokenCounts(JSON.parse(row.usage) as Usage),
    createdAt: row.created_at,
    ...(row.status === 'cancelled' && { metadata: { aborted: true } }),
  }
}

function uiMessageConverter(query: Record<string, string>): (stored: StoredMessage) => Json {
  const view = uiMessageStream.view({}, query)
  return ({ message, row }) => {
    if (message.role === 'user')
      return { id: message.clientId ?? message.id, role: 'user', parts: message.parts as Json }
    return toUiMessage(message, { runId: row.run_id ?? '', conversationId: row.conversation_id }, view)
  }
}

function toDataStreamMessage({ message, row }: StoredMessage): Json {
  return toDataMessage(message, { runId: row.run_id ?? '', conversationId: row.conversation_id }, {})
}

function toTokenCounts({ inputTokens, outputTokens }: Usage): {
  promptTokens: number
  completionTokens: number
} {
  return { promptTokens: inputTokens, completionTokens: outputTokens }
}
