import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import type { Json, ClientAnswer } from '../../events/index.ts'

/** A call with a result. What is settled already is among them too: the log knows which. */
const outcomeSchema = z.object({ toolCallId: z.string(), state: z.literal('result'), result: z.unknown() })

/**
 * The answers within an assistant message, from its parts or, as older messages have them, beside. The client sends its messages without
 * their ids unless it is told to: then the conversation's own run is meant. @throws ServiceError `invalid-request` where there are none
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
