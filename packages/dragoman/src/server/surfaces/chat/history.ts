import type { Context } from 'hono'
import { readerOptions } from '../reader-options.ts'
import type { z } from 'zod'

import {
  isLive,
  reasoningOf,
  textOf,
  toToolInvocations,
  type RunSummary,
  type Usage,
} from '../../../events/index.ts'
import { uiMessageStream } from '../../../protocols/index.ts'
import type { MessageRow, PageMessage, PathEnd, Thread } from '../../../threads/index.ts'
import type { HttpEnv } from '../../http/index.ts'
import type { Conversations } from '../surface-services.ts'
import { namedProtocol, type Protocols } from '../select-protocol.ts'
import * as operations from './openapi.ts'
import { readPage, readQuery } from '../paging.ts'
import { itemPages, streamList } from '../stream-list.ts'

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
  const { agent, protocols, replies, threads, path = `/${agent}/chat` } = options
  const { conversationId: name, format, ...page } = readQuery(c, operations.historyQuery)
  const thread = await threads.find(c.get('userId'), name, agent)
  if (!thread) return c.json({ conversation: null, messages: [] })

  const { latest, end } = await readConsistentPage(thread, page, options)
  const { places, pages } = end
  const current = await threads.get(c.get('userId'), thread.id)
  const oldest = places[0]
  const more = places.length === page.limit && oldest?.parentId ? { before: oldest.id } : {}
  const { convert, resumePath } = historyFormat(c, protocols)
  /** What was sent of the latest answer. It may grow until it is read, so a resume continues from what was read. */
  let answer: AnswerPlace | undefined
  const toItem = (stored: PageMessage): object[] => {
    const { row, message } = stored
    if (row.id === latest?.messageId) answer = { status: row.status, projected_seq: row.projected_seq }
    if (format !== 'ui') return [toRow(stored)]
    return message.role === 'user' || message.status !== 'streaming' ? [convert(stored)] : []
  }
  const resume = c.get('basePath') + path + resumePath(latest?.id ?? '')
  return streamList(c, {
    before: { conversation: toConversation(current) },
    name: 'messages',
    pages: () => itemPages(pages(), (stored) => stored.flatMap(toItem)),
    async after() {
      const live = latest && (await toLive(latest, answer, replies))
      return { ...more, ...(live && { live: { ...live, ...(live.status === 'running' && { resume }) } }) }
    },
  })
}

type Page = { readonly limit: number; readonly before?: string }

/** Finds a page and the last run consistently: if a run has started meanwhile, it looks again. */
async function readConsistentPage(
  thread: Thread,
  page: Page,
  { runs, projector, history, messagePages }: ChatOptions,
): Promise<{ latest: RunSummary | undefined; end: PathEnd }> {
  for (;;) {
    const latest = await runs.findCurrent(thread.id)
    await projector.refresh(thread.id)
    const end = await readPage(thread.id, page, { history, messagePages })
    if ((await runs.findCurrent(thread.id))?.id === latest?.id) return { latest, end }
  }
}

type AnswerPlace = Pick<MessageRow, 'status' | 'projected_seq'>

/** What a resume must still send of a run. Its row decides if it was sent, so that nothing is missing or sent twice. */
async function toLive(
  run: RunSummary,
  row: AnswerPlace | undefined,
  replies: Pick<ChatOptions['replies'], 'cursorAfter'>,
) {
  const status = row?.status ?? run.status
  if (!isLive(run) || status === 'finished' || status === 'failed' || status === 'cancelled') return undefined
  return {
    runId: run.id,
    messageId: run.messageId,
    cursor: await replies.cursorAfter(run, row?.projected_seq ?? run.lastSeq),
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

function toRow({ row, message }: PageMessage): z.infer<typeof operations.messageRowShape> {
  const calls = message.role === 'assistant' ? toToolInvocations(message) : []
  return {
    id: row.id,
    conversationId: row.conversation_id,
    role: row.role,
    content: textOf(message),
    reasoning: (message.role === 'assistant' && reasoningOf(message)) || null,
    toolCalls: calls.length === 0 ? null : calls,
    timestamp: row.timestamp,
    finishReason: row.finish_reason,
    usage: row.usage === null ? null : toTokenCounts(JSON.parse(row.usage) as Usage),
    createdAt: row.created_at,
    ...(row.status === 'cancelled' && { metadata: { aborted: true } }),
  }
}

/** The form of the named protocol's clients, or of those of `useChat`. */
function historyFormat(c: Context<HttpEnv>, protocols: Protocols) {
  const named = namedProtocol(c, protocols)
  const protocol = named?.history ? named : (protocols.get(uiMessageStream.name) ?? uiMessageStream)
  const { message: toMessage, resumePath } = protocol.history ?? uiMessageStream.history
  const view = protocol.view({}, readerOptions(c))
  const convert = ({ message, row }: PageMessage): object =>
    toMessage(message, { runId: row.run_id ?? '', conversationId: row.conversation_id }, view) as object
  return { convert, resumePath }
}

function toTokenCounts({ inputTokens, outputTokens }: Usage): {
  promptTokens: number
  completionTokens: number
} {
  return { promptTokens: inputTokens, completionTokens: outputTokens }
}
