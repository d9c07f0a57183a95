import { z } from 'zod'

import { filePartSchema } from 'dragoman/protocols'

const text = z.object({ type: z.literal('text'), text: z.string() })
const image = z
  .object({ type: z.literal('image'), data: z.string(), mimeType: z.string(), filename: z.string() })
  .partial({ data: true, mimeType: true, filename: true })
const thinking = z.object({ type: z.literal('thinking') })
const toolCall = z.object({
  type: z.literal('toolCall'),
  id: z.string().nullish(),
  name: z.string(),
  arguments: z.json().optional(),
})

/** Words, or parts of these kinds. */
function contentSchema<
  const Kinds extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(kinds: Kinds) {
  const parts = z.array(
    z.discriminatedUnion('type', kinds, { error: 'is no kind of part that may stand here' }),
  )
  return z.union([z.string(), parts], {
    error: ({ input, errors }) => unionMessage(Array.isArray(input) ? errors?.[1]?.[0] : undefined),
  })
}

/** Where in the parts it is that something is wrong: a union does not tell. */
function unionMessage(issue: z.core.$ZodIssue | undefined): string {
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'must be a text, or a list of parts'
}

const outcome = { toolName: z.string().nullish(), isError: z.boolean().nullish() }

/**
 * One message in the documented format or in the format of pi. Other fields, like timestamps and usage, are ignored.
 */
export const historyMessageSchema = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.literal('user'), content: contentSchema([text, image, filePartSchema]) }),
    z.object({
      role: z.literal('assistant'),
      content: contentSchema([text, image, thinking, toolCall]).nullish(),
      toolName: z.string().nullish(),
      toolInput: z.json().optional(),
      toolResult: z.json().optional(),
      toolId: z.string().nullish(),
    }),
    z.object({
      role: z.literal('tool'),
      content: contentSchema([text, image]).nullish(),
      toolInput: z.json().optional(),
      toolResult: z.json().optional(),
      toolId: z.string().nullish(),
      ...outcome,
    }),
    z.object({
      role: z.literal('toolResult'),
      content: contentSchema([text, image]),
      toolCallId: z.string().nullish(),
      ...outcome,
    }),
  ],
  { error: 'must be user, assistant, tool or toolResult' },
)

export type HistoryMessage = z.infer<typeof historyMessageSchema>
