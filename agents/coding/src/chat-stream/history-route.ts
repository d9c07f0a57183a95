import { Hono } from 'hono'
import type { z } from 'zod'

import { describeRoute } from 'dragoman/agents'
import { textOf, type AssistantMessage, type Json, type ToolPart } from 'dragoman/events'
import { parseBody } from 'dragoman/protocols'
import type { MessagePage, PageMessage } from 'dragoman/threads'
import { readJson, type HttpEnv } from 'dragoman/http'
import type { ChatStreamOptions } from './session-workspace.ts'
import * as operations from './chat-stream-openapi.ts'
import { itemPages, streamList } from 'dragoman/surfaces'

const EMPTY = { async *pages(): AsyncGenerator<MessagePage> {}, total: 0 }

type HistoryEntry = z.infer<typeof operations.historyMessage>

/** What was said in a session, along its chosen path. */
export function historyRoute({ agent, threads, projector, messagePages }: ChatStreamOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post('/chat/history', describeRoute(operations.history), async (c) => {
    const { sessionId, ...page } = parseBody(operations.historyBody, await readJson(c))
    const { id } = await threads.get(c.get('userId'), sessionId, agent)
    await projector.refresh(id)
    const { chosen: leaf } = await threads.get(c.get('userId'), id)
    const { pages, total } = leaf === undefined ? EMPTY : await messagePages.slice(id, { leaf, ...page })
    return streamList(c, {
      name: 'history',
      pages: () => itemPages(pages(), (stored) => stored.map(toHistoryEntry)),
      after: () => ({ total, ...page }),
    })
  })
}

function toHistoryEntry({ message, row }: PageMessage): HistoryEntry {
  const text = { content: textOf(message), timestamp: Date.parse(row.timestamp) }
  if (message.role === 'user') return { messageId: message.clientId ?? message.id, role: 'user', ...text }
  const { failure } = message
  return {
    messageId: message.id,
    role: 'assistant',
    ...text,
    status: statusOf(message),
    toolCalls: toCalls(message),
    ...(failure && { error: { code: failure.code, message: failure.message } }),
  }
}

function statusOf({ status }: AssistantMessage): NonNullable<HistoryEntry['status']> {
  return status === 'streaming' ? 'generating' : status
}

/** But for those whose input was cut off. */
function toCalls({ parts }: AssistantMessage): NonNullable<HistoryEntry['toolCalls']> {
  return parts.flatMap((part) =>
    part.type === 'tool' && part.input !== undefined ? [toCall(part, part.input)] : [],
  )
}

function toCall({ callId, tool: name, state, text, failure }: ToolPart, args: Json) {
  const call = { callId, name, args }
  switch (state) {
    case 'returned':
      return { ...call, status: 'completed' as const, result: text ?? '' }
    case 'failed':
      return { ...call, status: 'failed' as const, error: failure?.message ?? '', code: failure?.code ?? '' }
    case 'executing':
      return { ...call, status: 'running' as const }
    case 'input':
    case 'called':
    case 'asked':
    case 'answered':
      return { ...call, status: 'pending' as const }
  }
}
