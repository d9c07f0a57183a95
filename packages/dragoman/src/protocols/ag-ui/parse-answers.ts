import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import { parseJson, type Answer, type Json, type ClientAnswer } from '../../events/index.ts'
import { textIn } from './parse-content.ts'
import type { ToolResultMessage } from './parse-messages.ts'

/** What a tool's output is as a value; nested deeper it is told as its text. */
const MAX_DEPTH = 100
const MAX_REASON_CHARACTERS = 2000

const verdict = z.object({ approved: z.boolean(), reason: z.string().nullish() })
export const resume = z.object({
  interruptId: z.string(),
  status: z.enum(['resolved', 'cancelled'], 'must be "resolved" or "cancelled"'),
  payload: z.json().optional(),
})

/** What a client has decided. @throws ServiceError `invalid-request` for what is neither a yes nor a no */
export function toDecisions(entries: readonly z.infer<typeof resume>[]): ClientAnswer[] {
  return entries.map(({ interruptId: callId, status, payload }, index) => {
    if (status === 'cancelled') return { callId, answer: { kind: 'approval', approved: false } }
    const decision = typeof payload === 'boolean' ? { approved: payload } : verdict.safeParse(payload).data
    if (decision) return { callId, answer: approval(decision) }
    throw new ServiceError(
      'invalid-request',
      `resume.${index}.payload: must be {"approved": true} or {"approved": false}`,
    )
  })
}

function approval({ approved, reason }: z.infer<typeof verdict>): Answer {
  return { kind: 'approval', approved, ...(reason && { reason: reason.slice(0, MAX_REASON_CHARACTERS) }) }
}

/** What a tool of the client's has given: JSON is read, any other text is taken as it is. */
export function toOutcome({ toolCallId: callId, content, error, place }: ToolResultMessage): ClientAnswer {
  if (error) return { callId, answer: { kind: 'error', message: error.slice(0, MAX_REASON_CHARACTERS) } }
  return { callId, answer: { kind: 'output', output: valueOf(textIn(content, `${place}.content`)) } }
}

function valueOf(text: string): Json {
  const value = isShallow(text) ? parseJson(text) : undefined
  return value === undefined ? text : value
}

/** Brackets within its texts count too: what is told as text for that loses nothing. */
function isShallow(text: string): boolean {
  let depth = 0
  for (const letter of text) {
    if (letter === '[' || letter === '{') depth++
    else if (letter === ']' || letter === '}') depth--
    if (depth > MAX_DEPTH) return false
  }
  return true
}
