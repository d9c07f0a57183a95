import { z } from 'zod'

import type { ClientTurn } from '../../events/index.ts'
import { readBody } from '../protocol.ts'
import { content, textIn } from './parse-content.ts'

const id = z.string().max(200).nullish()
const call = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
})
const system = z.object({ id, role: z.enum(['system', 'developer']), content })
const user = z.object({ id, role: z.literal('user'), content })
const assistant = z.object({
  id,
  role: z.literal('assistant'),
  content,
  toolCalls: z.array(call).nullish(),
})
const tool = z.object({
  id,
  role: z.literal('tool'),
  content,
  toolCallId: z.string(),
  error: z.string().nullish(),
})

/** A message as it comes. Those of a role that we have no use for are passed over. */
export const message = z.object({ id, role: z.string() }).catchall(z.json())
type Sent = z.infer<typeof message>

/** A message that says something to us, and where in the body it stands. */
export type Told = { readonly place: string } & z.infer<
  typeof system | typeof user | typeof assistant | typeof tool
>
export type ToolTold = Extract<Told, { role: 'tool' }>

/** @throws ServiceError `invalid-request`, naming the field */
export function toldOf(messages: readonly Sent[]): Told[] {
  return messages.flatMap((sent, index): Told[] => {
    const place = `messages.${index}`
    switch (sent.role) {
      case 'system':
      case 'developer':
        return [{ place, ...readBody(system, sent, place) }]
      case 'user':
        return [{ place, ...readBody(user, sent, place) }]
      case 'assistant':
        return [{ place, ...readBody(assistant, sent, place) }]
      case 'tool':
        return [{ place, ...readBody(tool, sent, place) }]
      default:
        // Reasoning and activities are ours to tell; what comes with a later version of the protocol does no harm.
        return []
    }
  })
}

/** What was said before, in words: all else is in our store, or nowhere. A message of which we know nothing but its name says where the client is. */
export function toTurns(told: readonly Told[]): ClientTurn[] {
  return told.flatMap((each): ClientTurn[] => {
    if (each.role !== 'user' && each.role !== 'assistant') return []
    const text = textIn(each.content, `${each.place}.content`)
    const named = each.id ? { id: ours(each.id) } : {}
    return text === '' && !each.id ? [] : [{ role: each.role, text, ...named }]
  })
}

/** Each step of an answer is a message there, named after the answer. */
const STEP = /^(msg_[\w-]{12})\.r?\d+$/

function ours(name: string): string {
  return STEP.exec(name)?.[1] ?? name
}
