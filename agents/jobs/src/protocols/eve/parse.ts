import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import type { Json, ClientTurn } from 'dragoman/events'
import {
  clientTools,
  toClientTools,
  parseBody,
  context,
  conversationId,
  readPolicy,
  policy,
  showThinking,
  stream,
  thinkingView,
  type RunRequest,
} from 'dragoman/protocols'

export const body = z
  .object({
    messages: z
      .array(
        z.object({
          role: z.enum(['user', 'assistant'], 'must be "user" or "assistant"'),
          content: z.string(),
          timestamp: z.iso.datetime({ offset: true, error: 'must be a time in ISO 8601' }).nullish(),
        }),
        'messages is required',
      )
      .nullish()
      .describe('The conversation so far, the user’s words last.'),
    message: z.string().optional().describe('The user’s words alone, in place of messages.'),
    context: context.optional(),
    tools: clientTools.nullish(),
    policy: policy.nullish(),
    options: z
      .object({
        policy: policy.nullish(),
        showThinking: showThinking.nullish(),
        stream: stream.nullish(),
        conversationId: conversationId.min(1).max(200).nullish(),
      })
      .nullish(),
  })
  .meta({
    id: 'EveRequest',
    description: 'The Eve jobs chat.',
    examples: [
      {
        messages: [{ role: 'user', content: 'Find remote software engineer jobs' }],
        context: { activeFilters: { location: 'San Francisco', remote: true } },
        options: { conversationId: 'my-search' },
      },
    ],
  })

/** Reads a request of the Eve jobs chat: the complete history, the user's words last, or `{message}` alone. */
export function parse(json: Json): RunRequest {
  const read = parseBody(body, json)
  const { messages, message, context: requestContext, tools, options } = read
  const all =
    messages ??
    (message === undefined ? [] : [{ role: 'user' as const, content: message, timestamp: undefined }])
  const last = all.at(-1)
  if (!last) throw new ServiceError('invalid-request', 'messages is required')
  const place = `messages.${all.length - 1}`
  if (last.role !== 'user')
    throw new ServiceError('invalid-request', `${place}: the last message must be the user's`)
  if (last.content.trim() === '')
    throw new ServiceError('invalid-request', `${place}.content: the message is empty`)
  return {
    ...(options?.conversationId && { thread: options.conversationId }),
    turns: all.slice(0, -1).map(toTurn),
    message: { parts: [{ type: 'text', text: last.content }], ...sentAt(last) },
    context: requestContext ?? {},
    ...toClientTools(tools),
    ...readPolicy(read),
    stream: options?.stream ?? true,
    view: thinkingView({ showThinking: options?.showThinking ?? true }),
  }
}

function toTurn(turn: {
  role: 'user' | 'assistant'
  content: string
  timestamp?: string | null | undefined
}): ClientTurn {
  return { role: turn.role, text: turn.content, ...sentAt(turn) }
}

function sentAt(turn: { timestamp?: string | null | undefined }): { sentAt?: string } {
  return turn.timestamp ? { sentAt: turn.timestamp } : {}
}
