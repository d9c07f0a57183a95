import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import type { Json, ClientTurn, UserPart } from 'dragoman/events'
import {
  clientTools,
  toClientTools,
  parseBody,
  context,
  conversationId,
  readPolicy,
  policy,
  stream,
  filePartSchema,
  type RunRequest,
} from 'dragoman/protocols'
import { fields, addVibeLifeFields } from './request-fields.ts'

const part = z.looseObject({ type: z.string(), text: z.string().optional() })
const message = z.object({
  role: z.enum(['user', 'assistant', 'system'], 'must be "user" or "assistant"'),
  content: z.string().optional(),
  parts: z.array(part).optional(),
})
export const body = z
  .object({
    message: z.string().optional().describe('The user’s words.'),
    messages: z
      .array(message)
      .nullish()
      .describe('In place of message: the conversation so far, the user’s words last.'),
    ...fields,
    context: context.optional(),
    tools: clientTools.nullish(),
    policy: policy.nullish(),
    options: z
      .object({
        policy: policy.nullish(),
        stream: stream.nullish(),
        conversationId: conversationId.min(1).max(200).nullish(),
      })
      .nullish(),
  })
  .meta({
    id: 'VibeLifeRequest',
    description: 'The VibeLife chat.',
    examples: [
      { message: '你好' },
      { message: '看看我的八字', skill: 'bazi', voice_mode: 'warm', conversation_id: 'my-evening' },
    ],
  })

/** Reads a request of the VibeLife chat: `{message}`, or the conversation with the user's words last. */
export function parse(json: Json): RunRequest {
  const read = parseBody(body, json)
  const { message: single, messages, context: told, tools, options } = read
  const all = single === undefined ? (messages ?? []).map(toTurn) : [{ role: 'user', text: single } as const]
  const last = all.at(-1)
  if (!last) throw new ServiceError('invalid-request', 'message is required')
  const place = single === undefined ? `messages.${all.length - 1}` : 'message'
  if (last.role !== 'user')
    throw new ServiceError('invalid-request', `${place}: the last message must be the user's`)
  const parts = [...wordsOf(last), ...filesIn(single === undefined ? messages?.at(-1) : undefined, place)]
  if (parts.length === 0) throw new ServiceError('invalid-request', `${place}: the message is empty`)
  const request: RunRequest = {
    ...(options?.conversationId && { thread: options.conversationId }),
    turns: all.slice(0, -1).filter(isTurn),
    message: { parts },
    context: told ?? {},
    ...toClientTools(tools),
    ...readPolicy(read),
    stream: options?.stream ?? true,
    view: {},
  }
  return addVibeLifeFields(request, json)
}

type Turn = Omit<ClientTurn, 'role'> & { readonly role: z.infer<typeof message>['role'] }

function toTurn({ role, content, parts }: z.infer<typeof message>): Turn {
  const words = (parts ?? []).flatMap(({ type, text }) => (type === 'text' && text ? [text] : []))
  return { role, text: content ?? words.join('\n\n') }
}

function wordsOf({ text }: Turn): UserPart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

function filesIn(json: z.infer<typeof message> | undefined, place: string): UserPart[] {
  return (json?.parts ?? []).flatMap((each, index) =>
    each.type === 'file' ? [parseBody(filePartSchema, each as Json, `${place}.parts.${index}`)] : [],
  )
}

/** The server's words to its model are its own. */
function isTurn(turn: Turn): turn is ClientTurn {
  return turn.role !== 'system' && turn.text !== ''
}
