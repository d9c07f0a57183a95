import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import type { Json, ClientTurn, UserPart } from '../../events/index.ts'
import { clientTools, toClientTools } from '../client-tools.ts'
import { parseBody, type RunRequest } from '../protocol.ts'
import { context, conversationId, readPolicy, policy, showThinking, stream } from '../request-fields.ts'
import { parseThinkingViewOptions } from '../thinking-view-options.ts'
import { filePartSchema, mediaTypeOfUrl } from '../user-part-schemas.ts'
import { parseAnswers } from './parse-answers.ts'

const attachment = z.object({
  url: z.string(),
  contentType: z.string().nullish(),
  name: z.string().nullish(),
})
const message = z.object({
  id: z.string().max(200).optional(),
  role: z.enum(['user', 'assistant', 'system', 'data'], 'must be "user" or "assistant"'),
  content: z.string(),
  // No server of AI SDK 4 reads it, so pages send what their stores hold.
  createdAt: z.iso.datetime({ offset: true }).nullish().catch(null),
  experimental_attachments: z.array(attachment).nullish(),
  parts: z.array(z.looseObject({ type: z.string() })).nullish(),
  toolInvocations: z.array(z.unknown()).nullish(),
})
export const body = z
  .object({
    id: z.string().min(1).max(200).optional().describe('The chat, by the client’s name for it.'),
    messages: z.array(message).optional().describe('The conversation so far, the user’s message last.'),
    message: message.optional().describe('The user’s message alone, in place of messages.'),
    context: context.optional(),
    tools: clientTools.nullish(),
    policy: policy.nullish(),
    stream: stream.nullish(),
    options: z
      .object({
        policy: policy.nullish(),
        showThinking: showThinking.nullish(),
        stream: stream.nullish(),
        conversationId: conversationId.nullish(),
      })
      .nullish(),
  })
  .meta({
    id: 'DataStreamRequest',
    description:
      'What useChat of AI SDK 4 posts. Its messages have a content and parts; of parts the outcomes of calls are read.',
    examples: [
      {
        id: 'my-chat-of-v4',
        messages: [
          {
            role: 'user',
            content: 'What can you do?',
            parts: [{ type: 'text', text: 'What can you do?' }],
          },
        ],
      },
    ],
  })

/**
 * Reads the body of `useChat` of AI SDK 4: the whole conversation, or (as its docs recommend) only the last
 * message.
 */
export function parse(input: Json): RunRequest {
  const request = parseBody(body, input)
  const { id, messages, message: single, context: clientContext, tools, options } = request
  const all = messages ?? (single ? [single] : [])
  const last = all.at(-1)
  if (!last) throw new ServiceError('invalid-request', 'messages is required')
  const place = messages ? `messages.${all.length - 1}` : 'message'
  const named = options?.conversationId ?? id
  const thread = named === undefined ? {} : { thread: named }
  const reply = {
    stream: request.stream ?? options?.stream ?? true,
    view: parseThinkingViewOptions({ showThinking: options?.showThinking ?? true }),
  }
  if (last.role === 'assistant') return { ...thread, ...parseAnswers(last, place), ...reply }
  if (last.role !== 'user')
    throw new ServiceError('invalid-request', `${place}: the last message must be the user's`)
  const parts = userParts(last, place)
  if (parts.length === 0) throw new ServiceError('invalid-request', `${place}.content: the message is empty`)
  return {
    ...thread,
    turns: all.slice(0, -1).flatMap(toTurn),
    // `reload()` posts the same messages again, with the same ids, so an id does not identify a run.
    message: { parts, ...sentAt(last) },
    ...(messages && { resends: true }),
    context: clientContext ?? {},
    ...toClientTools(tools),
    ...readPolicy(request),
    ...reply,
  }
}

type Message = z.infer<typeof message>

/** Files first, as later versions send them. */
function userParts({ content, experimental_attachments: attachments }: Message, place: string): UserPart[] {
  const files = (attachments ?? []).map(({ url, contentType, name }, index) => {
    const named = name ? { filename: name } : {}
    const file = {
      type: 'file',
      url,
      mediaType: contentType ?? mediaTypeOfUrl(url) ?? '',
      ...named,
    }
    return parseBody(filePartSchema, file, `${place}.experimental_attachments.${index}`)
  })
  return [...files, ...(content === '' ? [] : [{ type: 'text' as const, text: content }])]
}

/** The text of an earlier turn. Everything else comes from our store. */
function toTurn(input: Message): ClientTurn[] {
  if (input.role !== 'user' && input.role !== 'assistant') return []
  if (input.content === '' && input.id === undefined) return []
  const { role, content: text, id } = input
  return [{ role, text, ...(id !== undefined && { id }), ...sentAt(input) }]
}

function sentAt({ createdAt }: Message): { sentAt?: string } {
  return createdAt ? { sentAt: createdAt } : {}
}
