import { z } from 'zod'

import { parseJson, type Answer, type Json, type ClientAnswer } from 'dragoman/events'
import { anyJson } from 'dragoman/protocols'
import { content as contentSchema, textIn } from './parse-content.ts'
import type { ToolResultMessage } from './parse-messages.ts'

/** Tool output that is nested more deeply stays a text. */
const MAX_DEPTH = 100
const MAX_REASON_CHARACTERS = 2000

const verdict = z.strictObject({
  approved: z.boolean(),
  reason: z.string().nullish(),
  editedArgs: anyJson.optional(),
})
export const resume = z.object({
  interruptId: z.string(),
  status: z.enum(['resolved', 'cancelled'], 'must be "resolved" or "cancelled"'),
  payload: anyJson.optional(),
})

/** Reads a client's approvals, and what else it gives: the log knows what was asked. */
export function toDecisions(entries: readonly z.infer<typeof resume>[]): ClientAnswer[] {
  return entries.map(({ interruptId: callId, status, payload = null }) => {
    if (status === 'cancelled') return { callId, answer: { kind: 'approval', approved: false } }
    const decision = typeof payload === 'boolean' ? { approved: payload } : verdict.safeParse(payload).data
    return { callId, answer: decision ? approval(decision) : { kind: 'output', output: payload } }
  })
}

function approval({ approved, reason, editedArgs }: z.infer<typeof verdict>): Answer {
  return {
    kind: 'approval',
    approved,
    ...(editedArgs !== undefined && editedArgs !== null && { input: editedArgs }),
    ...(reason && { reason: reason.slice(0, MAX_REASON_CHARACTERS) }),
  }
}

/** Reads the result of a client tool: JSON is parsed, and any other text stays a text. Some send the value itself. */
export function toOutcome({ toolCallId: callId, content, error, place }: ToolResultMessage): ClientAnswer {
  if (error) return { callId, answer: { kind: 'error', message: error.slice(0, MAX_REASON_CHARACTERS) } }
  const { data: words, success } = contentSchema.safeParse(content)
  const output = success ? valueOf(textIn(words, `${place}.content`)) : (content ?? null)
  return { callId, answer: { kind: 'output', output } }
}

function valueOf(text: string): Json {
  const value = isShallow(text) ? parseJson(text) : undefined
  return value === undefined ? text : value
}

/**
 * Counts brackets within strings too. A text that is refused for that reason loses nothing, because it stays a
 * text.
 */
function isShallow(text: string): boolean {
  let depth = 0
  for (const letter of text) {
    if (letter === '[' || letter === '{') depth++
    else if (letter === ']' || letter === '}') depth--
    if (depth > MAX_DEPTH) return false
  }
  return true
}
