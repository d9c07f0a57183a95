import { z } from 'zod'

import type { ClientTurn } from 'dragoman/events'
import { anyJson, parseBody } from 'dragoman/protocols'
import { content, textIn } from './parse-content.ts'

const id = z.string().max(200).nullish()
/** What is odd in an earlier message is passed over, so that it costs no later one. */
const earlier = content.catch(null)
const system = z.object({ id, role: z.enum(['system', 'developer']), content })
const user = z.object({ id, role: z.literal('user'), content })
const earlierUser = user.extend({ content: earlier })
/** Its calls are in the log. */
const assistant = z.object({ id, role: z.literal('assistant'), content: earlier })
const tool = z.object({
  id,
  role: z.literal('tool'),
  content: anyJson.nullish(),
  toolCallId: z.string(),
  error: z.string().nullish(),
})

/** A message as it comes. Those of a role that we have no use for are passed over. */
export const message = z.object({ id, role: z.string() }).catchall(anyJson)
type RawMessage = z.infer<typeof message>

/** A message that the server uses, and its place in the body. */
export type InputMessage = { readonly place: string } & z.infer<
  typeof system | typeof user | typeof assistant | typeof tool
>
export type ToolResultMessage = Extract<InputMessage, { role: 'tool' }>

/** @throws ServiceError `invalid-request`, naming the field */
export function readMessages(messages: readonly RawMessage[]): InputMessage[] {
  const last = messages.length - 1
  return messages.flatMap((rawMessage, index): InputMessage[] => {
    const place = `messages.${index}`
    switch (rawMessage.role) {
      case 'system':
      case 'developer':
        return [{ place, ...parseBody(system, rawMessage, place) }]
      case 'user':
        return [{ place, ...parseBody(index === last ? user : earlierUser, rawMessage, place) }]
      case 'assistant':
        return [{ place, ...parseBody(assistant, rawMessage, place) }]
      case 'tool':
        return [{ place, ...parseBody(tool, rawMessage, place) }]
      default:
        // Reasoning and activity messages come from the server itself, and messages of later protocol versions
        // are ignored.
        return []
    }
  })
}

/**
 * The earlier turns as text. Everything else comes from our store. A message without text still shows the
 * client's place in the conversation.
 */
export function toTurns(inputMessages: readonly InputMessage[]): ClientTurn[] {
  return inputMessages.flatMap((each): ClientTurn[] => {
    if (each.role !== 'user' && each.role !== 'assistant') return []
    const text = textIn(each.content, `${each.place}.content`)
    const idField = each.id ? { id: toMessageId(each.id) } : {}
    return text === '' && !each.id ? [] : [{ role: each.role, text, ...idField }]
  })
}

/** Each step of an answer is a message there, named after the answer. */
const STEP = /^(msg_[\w-]{12})\.r?\d+$/

function toMessageId(name: string): string {
  return STEP.exec(name)?.[1] ?? name
}
