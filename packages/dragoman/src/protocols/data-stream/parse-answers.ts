import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import type { Json, ClientAnswer } from '../../events/index.ts'

/**
 * A call with a result. Some of these calls are settled already: the log knows which. JSON has no field for a result
 * `undefined`.
 */
const outcomeSchema = z.object({
  toolCallId: z.string(),
  state: z.literal('result'),
  result: z.unknown().optional(),
})

/**
 * Reads the answers of an assistant message from its parts, or from `toolInvocations` in older messages. By
 * default the client sends no message ids. Then the conversation's current run is meant.
 * @throws ServiceError `invalid-request` if there are no answers
 */
export function parseAnswers(
  message: {
    readonly id?: string | undefined
    readonly parts?:
      | readonly { readonly type: string; readonly toolInvocation?: unknown }[]
      | null
      | undefined
    readonly toolInvocations?: readonly unknown[] | null | undefined
  },
  place: string,
): { messageId?: string; answers: readonly ClientAnswer[] } {
  const inParts = message.parts?.flatMap(({ toolInvocation }) => toAnswer(toolInvocation)) ?? []
  const answers = inParts.length > 0 ? inParts : (message.toolInvocations ?? []).flatMap(toAnswer)
  if (answers.length === 0)
    throw new ServiceError(
      'invalid-request',
      `${place}: the last message must be the user's, or have results`,
    )
  return { ...(message.id !== undefined && { messageId: message.id }), answers }
}

function toAnswer(invocation: unknown): ClientAnswer[] {
  const { success, data } = outcomeSchema.safeParse(invocation)
  if (!success) return []
  return [{ callId: data.toolCallId, answer: { kind: 'output', output: (data.result ?? null) as Json } }]
}
