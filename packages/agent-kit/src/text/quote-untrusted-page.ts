import { z } from 'zod'

import { quoteUntrustedBlock } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { toSingleLine } from './to-single-line.ts'

const text = z.string('must be a text')

/** The context that a page reports, as AG-UI clients do. Unknown fields are ignored. */
const schema = z.object(
  {
    context: z
      .array(z.object({ description: text, value: z.unknown() }, 'must be an object'), 'must be a list')
      .optional(),
    instructions: z.array(z.object({ content: text }, 'must be an object'), 'must be a list').optional(),
    timeZone: text.optional(),
  },
  'must be an object',
)

/** Limits in characters: one entry, all entries, and the instructions of the application's owner. */
const MAX_ENTRY_CHARACTERS = 20_000
const MAX_PAGE_CONTEXT_CHARACTERS = 60_000
const MAX_INSTRUCTION_CHARACTERS = 40_000

/** @throws ServiceError `invalid-request`, naming the field */
export function readPageContext(context: Json): z.infer<typeof schema> {
  const result = schema.safeParse(context ?? {})
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = ['context', ...(issue?.path ?? []).map(String)].join('.')
  throw new ServiceError('invalid-request', `${field} ${issue?.message ?? 'is wrong'}`)
}

/**
 * The page's context as quoted data, for the lines before the user's message.
 * @throws ServiceError `invalid-request`, naming the field
 */
export function quoteUntrustedPage(context: Json): readonly string[] {
  const { context: entries = [] } = readPageContext(context)
  if (entries.length === 0) return []
  const lines = entries.map(
    ({ description, value }) => `- ${toSingleLine(description, 500)}: ${entryText(value)}`,
  )
  return quoteUntrustedBlock('page-context', lines.join('\n'), MAX_PAGE_CONTEXT_CHARACTERS).split('\n')
}

function entryText(value: unknown): string {
  const words = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return words.length > MAX_ENTRY_CHARACTERS
    ? `${words.slice(0, MAX_ENTRY_CHARACTERS).toWellFormed()} … (cut)`
    : words
}

/** The instructions of the application's owner, under their own heading, or an empty text. */
export function ownerInstructions(context: Json): string {
  const { instructions = [] } = readPageContext(context)
  const words = instructions.map(({ content }) => content.trim()).filter((content) => content !== '')
  if (words.length === 0) return ''
  const shortened = words.join('\n\n').slice(0, MAX_INSTRUCTION_CHARACTERS).toWellFormed()
  return (
    `# From the application's owner\n\nWhat follows holds where it does not contradict what stands ` +
    `above.\n\n${shortened}`
  )
}
