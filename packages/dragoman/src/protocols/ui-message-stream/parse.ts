import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import type { Json, ClientTurn, UserPart } from '../../events/index.ts'
import { clientTools, toClientTools } from '../client-tools.ts'
import { parseBody, type RunRequest } from '../protocol.ts'
import { context, conversationId, readPolicy, policy, showThinking, stream } from '../request-fields.ts'
import { filePartSchema, textPartSchema } from '../user-part-schemas.ts'
import { parseAnswers } from './parse-answers.ts'
import { PROFILES, parseUiViewOptions, type Profile } from './ui-view-options.ts'

const part = z.looseObject({ type: z.string() })
const message = z.object({
  id: z.string().max(200).optional(),
  role: z.enum(['user', 'assistant', 'system'], 'must be "user" or "assistant"'),
  parts: z.array(part).optional(),
  content: z.string().optional(),
})
export const body = z
  .object({
    id: z.string().min(1).max(200).optional().describe('The chat, by the client’s name for it.'),
    messages: z.array(message).optional().describe('The conversation so far, the user’s message last.'),
    message: message.optional().describe('The user’s message alone, in place of messages.'),
    trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
    messageId: z
      .string()
      .nullish()
      .describe(
        'The message that this one is an edit of, or the answer that goes on once it has its answers.',
      ),
    context: context.optional(),
    tools: clientTools.nullish(),
    policy: policy.nullish(),
    stream: stream.nullish(),
    options: z
      .object({
        showThinking: showThinking.nullish(),
        stream: stream.nullish(),
        conversationId: conversationId.nullish(),
        policy: policy.nullish(),
        profile: z
          .enum(PROFILES, `must be one of ${PROFILES.join(', ')}`)
          .nullish()
          .describe('Which AI SDK reads, if it is not version 6 or later.'),
        steeringMessages: z
          .boolean('must be true or false')
          .nullish()
          .describe('Whether messages that join an answer are steering-message parts, as of AI SDK 7.0.163.'),
      })
      .nullish(),
  })
  .meta({
    id: 'UiMessageStreamRequest',
    description: 'What DefaultChatTransport of the AI SDK posts.',
    examples: [
      {
        id: 'my-chat',
        trigger: 'submit-message',
        messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'What can you do?' }] }],
      },
    ],
  })

/**
 * Reads the body of the AI SDK's chat transport: the whole conversation, or (as its docs recommend) only the
 * last message.
 */
export function parse(input: Json): RunRequest {
  const request = parseBody(body, input)
  const {
    id,
    messages,
    message: single,
    trigger,
    messageId,
    context: clientContext,
    tools,
    options,
  } = request
  const all = messages ?? (single ? [single] : [])
  const last = all.at(-1)
  if (!last) throw new ServiceError('invalid-request', 'messages is required')
  const place = messages ? `messages.${all.length - 1}` : 'message'
  const named = options?.conversationId ?? id
  const thread = named === undefined ? {} : { thread: named }
  const reply = {
    stream: request.stream ?? options?.stream ?? true,
    view: parseUiViewOptions({
      showThinking: options?.showThinking ?? true,
      profile: options?.profile ?? recognizedProfile(all),
      steeringMessages: options?.steeringMessages ?? false,
      isChat: trigger !== undefined,
    }),
  }
  const answeredMessage = trigger === 'regenerate-message' ? undefined : findAnsweredMessage(all, messageId)
  if (answeredMessage) return { ...thread, ...parseAnswers(answeredMessage, place), ...reply }
  if (last.role !== 'user')
    throw new ServiceError('invalid-request', `${place}: the last message must be the user's`)
  const parts = userParts(last, place)
  if (parts.length === 0) throw new ServiceError('invalid-request', `${place}.parts: the message is empty`)
  const branch = trigger === 'regenerate-message' ? 'again' : messageId ? 'edit' : undefined
  return {
    ...thread,
    turns: all.slice(0, -1).flatMap(toTurn),
    message: { parts, ...(last.id !== undefined && { clientId: last.id }) },
    ...(branch && { branch }),
    context: clientContext ?? {},
    ...toClientTools(tools),
    ...readPolicy(request),
    ...reply,
  }
}

/** Only pages of version 5 have approvals as data parts, and send them back. Forms are data parts for all. */
function recognizedProfile(all: readonly Message[]): Profile | null {
  const isOfVersion5 = (each: Part): boolean =>
    each.type === 'data-question' && approvalData.safeParse(each['data']).success
  return all.some(({ parts }) => parts?.some(isOfVersion5)) ? 'v5' : null
}

const approvalData = z.object({ kind: z.enum(['approval', 'output']) })

/**
 * The answer that the client continues: the message that it names (not always its last one), or its last
 * message.
 */
function findAnsweredMessage(
  all: readonly Message[],
  messageId: string | null | undefined,
): Message | undefined {
  const named = all.findLast(({ id, role }) => role === 'assistant' && id !== undefined && id === messageId)
  const last = all.at(-1)
  return named ?? (last?.role === 'assistant' ? last : undefined)
}

type Message = z.infer<typeof message>
type Part = NonNullable<Message['parts']>[number]

/** Texts and files. Tool parts, outcomes and consent are never taken from a client. */
function userParts({ parts, content }: Message, place: string): UserPart[] {
  if (!parts) return content ? [{ type: 'text', text: content }] : []
  return parts.flatMap((each, index): UserPart[] => {
    if (each.type === 'text' && each['text'] !== '')
      return [parseBody(textPartSchema, each as Json, `${place}.parts.${index}`)]
    if (each.type === 'file') return [parseBody(filePartSchema, each as Json, `${place}.parts.${index}`)]
    return []
  })
}

/** The text of an earlier turn. Everything else comes from our store. */
function toTurn(input: Message): ClientTurn[] {
  if (input.role === 'system') return []
  const words = input.parts
    ?.map((each) => (each.type === 'text' ? each['text'] : undefined))
    .filter((text) => typeof text === 'string')
  const text = words?.join('\n\n') ?? input.content ?? ''
  if (text === '' && input.id === undefined) return []
  return [{ role: input.role, text, ...(input.id !== undefined && { id: input.id }) }]
}
