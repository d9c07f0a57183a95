import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import type { Json, ClientAnswer } from '../../events/index.ts'

/**
 * A call with an outcome of the client. Some of these calls are settled already: the log knows which. JSON has no
 * field for an output `undefined`.
 */
const outcomeSchema = z.discriminatedUnion('state', [
  z.object({ toolCallId: z.string(), state: z.literal('output-available'), output: z.unknown().optional() }),
  z.object({ toolCallId: z.string(), state: z.literal('output-error'), errorText: z.string().optional() }),
  z.object({
    toolCallId: z.string(),
    state: z.literal('approval-responded'),
    approval: z.looseObject({ approved: z.boolean(), reason: z.string().nullish() }),
  }),
])
/** What the AI SDK sends with an approval. Anything else might be meant to change what the call does. */
const APPROVAL_FIELDS = new Set([
  'approved',
  'descriptor',
  'id',
  'inputSchemaInput',
  'isAutomatic',
  'providerMetadata',
  'reason',
  'requestReason',
  'signature',
])

type Part = { readonly type: string; readonly [field: string]: unknown }

/**
 * Reads the answers of an assistant message. Consent without an open question in the log is ignored.
 * @throws ServiceError `invalid-request` if there are no answers, or for an approval with an unknown field
 */
export function parseAnswers(
  { id, parts = [] }: { readonly id?: string | undefined; readonly parts?: readonly Part[] | undefined },
  place: string,
): { messageId: string; answers: readonly ClientAnswer[] } {
  const answers = parts.flatMap((part, index) => toAnswer(part, `${place}.parts.${index}`))
  if (answers.length === 0)
    throw new ServiceError(
      'invalid-request',
      `${place}: the last message must be the user's, or have answers`,
    )
  if (id === undefined) throw new ServiceError('invalid-request', `${place}.id is required`)
  return { messageId: id, answers }
}

function toAnswer(part: Part, place: string): ClientAnswer[] {
  const isTool = part.type.startsWith('tool-') || part.type === 'dynamic-tool'
  if (!isTool || part['preliminary'] === true) return []
  const { success, data } = outcomeSchema.safeParse(part)
  return success ? [{ callId: data.toolCallId, answer: answerOf(data, place) }] : []
}

function answerOf(part: z.infer<typeof outcomeSchema>, place: string): ClientAnswer['answer'] {
  switch (part.state) {
    case 'output-available':
      return { kind: 'output', output: (part.output ?? null) as Json }
    case 'output-error':
      return { kind: 'error', message: part.errorText || 'The tool failed.' }
    case 'approval-responded': {
      const { approved, reason } = part.approval
      const unknown = Object.keys(part.approval).find((field) => !APPROVAL_FIELDS.has(field))
      if (unknown !== undefined)
        throw new ServiceError(
          'invalid-request',
          `${place}.approval.${unknown.slice(0, 100)}: there is no such field. ` +
            'POST /v1/runs/{id}/answers takes edited arguments.',
        )
      return { kind: 'approval', approved, ...(reason && { reason }) }
    }
  }
}
