import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import type { ClientTurn, Json, UserPart } from 'dragoman/events'
import {
  clientTools,
  filePartSchema,
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

const turn = z.object({
  role: z.enum(['user', 'assistant'], 'must be "user" or "assistant"'),
  content: z.string(),
  timestamp: z.iso.datetime({ offset: true, error: 'must be a time in ISO 8601' }).nullish(),
  files: z
    .array(z.object({ url: z.string(), mediaType: z.string(), filename: z.string().optional() }))
    .nullish()
    .describe('Files, as POST /v1/files returns them. Of earlier messages the server has them.'),
})

export const body = z
  .object({
    messages: z
      .array(turn, 'messages is required')
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
  const all = messages ?? (message === undefined ? [] : [{ role: 'user' as const, content: message }])
  const last = all.at(-1)
  if (!last) throw new ServiceError('invalid-request', 'messages is required')
  const place = `messages.${all.length - 1}`
  if (last.role !== 'user')
    throw new ServiceError('invalid-request', `${place}: the last message must be the user's`)
  const files = filesIn(last, place)
  if (last.content.trim() === '' && files.length === 0)
    throw new ServiceError('invalid-request', `${place}.content: the message is empty`)
  return {
    ...(options?.conversationId && { thread: options.conversationId }),
    turns: all.slice(0, -1).map(toTurn),
    message: { parts: [...files, ...textIn(last)], ...sentAt(last) },
    context: requestContext ?? {},
    ...toClientTools(tools),
    ...readPolicy(read),
    stream: options?.stream ?? true,
    view: thinkingView({ showThinking: options?.showThinking ?? true }),
  }
}

type Words = z.infer<typeof turn>

function filesIn({ files }: Words, place: string): UserPart[] {
  return (files ?? []).map(({ url, mediaType, filename }, index) => {
    const file = { type: 'file', url, mediaType, ...(filename !== undefined && { filename }) }
    return parseBody(filePartSchema, file, `${place}.files.${index}`)
  })
}

function textIn({ content }: Words): UserPart[] {
  return content.trim() === '' ? [] : [{ type: 'text', text: content }]
}

function toTurn(words: Words): ClientTurn {
  return { role: words.role, text: words.content, ...sentAt(words) }
}

function sentAt({ timestamp }: Words): { sentAt?: string } {
  return timestamp ? { sentAt: timestamp } : {}
}
