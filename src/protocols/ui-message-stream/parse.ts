import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import type { Json, SentTurn, UserPart } from '../../events/index.ts'
import { readBody, type RunRequest } from '../protocol.ts'
import { thinkingView } from '../thinking.ts'

const part = z.looseObject({ type: z.string() })
const message = z.object({
  id: z.string().max(200).optional(),
  role: z.enum(['user', 'assistant', 'system'], 'must be "user" or "assistant"'),
  parts: z.array(part).optional(),
  content: z.string().optional(),
})
const body = z.object({
  id: z.string().min(1).max(200).optional(),
  messages: z.array(message).optional(),
  message: message.optional(),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: z.string().nullish(),
  context: z.json().optional(),
  options: z
    .object({
      showThinking: z.boolean().optional(),
      stream: z.boolean().optional(),
      conversationId: z.string().optional(),
    })
    .optional(),
})

/** Reads what the AI SDK's chat transport posts: the whole conversation, or (as its docs advise) the last message alone. */
export function parse(sent: Json): RunRequest {
  const { id, messages, message: single, trigger, messageId, context, options } = readBody(body, sent)
  const all = messages ?? (single ? [single] : [])
  const last = all.at(-1)
  if (!last) throw new ServiceError('invalid-request', 'messages is required')
  if (last.role !== 'user') {
    throw new ServiceError(
      'invalid-request',
      `messages.${all.length - 1}: the last message must be the user's`,
    )
  }
  const parts = userParts(last)
  if (parts.length === 0)
    throw new ServiceError('invalid-request', `messages.${all.length - 1}.parts: the message is empty`)
  const thread = options?.conversationId ?? id
  const branch = trigger === 'regenerate-message' ? 'again' : messageId ? 'edit' : undefined
  return {
    ...(thread !== undefined && { thread }),
    turns: all.slice(0, -1).flatMap(toTurn),
    message: { parts, ...(last.id !== undefined && { clientId: last.id }) },
    ...(branch && { branch }),
    context: context ?? {},
    stream: options?.stream ?? true,
    view: thinkingView({ showThinking: options?.showThinking ?? true }),
  }
}

type Message = z.infer<typeof message>

/** Words and files. Tool parts, outcomes and consent are never taken from a client. */
function userParts({ parts, content }: Message): UserPart[] {
  if (!parts) return content ? [{ type: 'text', text: content }] : []
  return parts.flatMap((each): UserPart[] => {
    if (each.type === 'text' && typeof each['text'] === 'string' && each['text'] !== '') {
      return [{ type: 'text', text: each['text'] }]
    }
    if (each.type !== 'file' || typeof each['url'] !== 'string' || typeof each['mediaType'] !== 'string')
      return []
    const { url, mediaType, filename } = each
    if (!/^(data:|https?:\/\/)/.test(url))
      throw new ServiceError('invalid-request', "A file's url must be a data: or http(s): URL.")
    return [{ type: 'file', url, mediaType, ...(typeof filename === 'string' && { filename }) }]
  })
}

function toTurn(sent: Message): SentTurn[] {
  if (sent.role === 'system') return []
  const text = userParts(sent)
    .flatMap((each) => (each.type === 'text' ? [each.text] : []))
    .join('\n\n')
  return text === '' && sent.id === undefined
    ? []
    : [{ role: sent.role, text, ...(sent.id !== undefined && { id: sent.id }) }]
}
