import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { asData } from './as-data.ts'
import { oneLine } from './one-line.ts'

const text = z.string('must be a text')

/** What a page may say of its surroundings, as AG-UI's clients do. Fields that we do not know are none of our business. */
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

/** In characters: of one entry, of all, of what the application's owner says. */
const MOST_OF_ENTRY = 20_000
const MOST_OF_PAGE = 60_000
const MOST_OF_WORDS = 40_000

/** @throws ServiceError `invalid-request`, naming the field */
export function readPage(context: Json): z.infer<typeof schema> {
  const said = schema.safeParse(context ?? {})
  if (said.success) return said.data
  const issue = said.error.issues[0]
  const field = ['context', ...(issue?.path ?? []).map(String)].join('.')
  throw new ServiceError('invalid-request', `${field} ${issue?.message ?? 'is wrong'}`)
}

/** What the page says of itself: data, that goes before the user's words. @throws ServiceError `invalid-request`, naming the field */
export function pageLines(context: Json): readonly string[] {
  const { context: entries = [] } = readPage(context)
  if (entries.length === 0) return []
  const lines = entries.map(({ description, value }) => `- ${oneLine(description, 500)}: ${told(value)}`)
  return asData('page-context', lines.join('\n'), MOST_OF_PAGE).split('\n')
}

function told(value: unknown): string {
  const words = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return words.length > MOST_OF_ENTRY ? `${words.slice(0, MOST_OF_ENTRY).toWellFormed()} … (cut)` : words
}

/** What the application's owner says, under a heading of its own; nothing where they say nothing. */
export function ownersWords(context: Json): string {
  const { instructions = [] } = readPage(context)
  const words = instructions.map(({ content }) => content.trim()).filter((content) => content !== '')
  if (words.length === 0) return ''
  const bounded = words.join('\n\n').slice(0, MOST_OF_WORDS).toWellFormed()
  return `# From the application's owner\n\nWhat follows holds where it does not contradict what stands above.\n\n${bounded}`
}
