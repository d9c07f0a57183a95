import { z } from 'zod'

import type { Briefed } from '../../agent/index.ts'
import { ServiceError } from '../../errors.ts'
import type { Json } from '../../events/index.ts'
import { asData } from '../words/as-data.ts'
import { oneLine } from '../words/one-line.ts'

const text = z.string('must be a text')

/** What a page may say of its surroundings. Fields that we do not know are none of our business. */
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

export type AssistantContext = z.infer<typeof schema>

/** In characters: of one entry, of all, of what the application's owner says. */
const MOST_OF_ENTRY = 20_000
const MOST_OF_PAGE = 60_000
const MOST_OF_WORDS = 40_000

/** @throws ServiceError `invalid-request`, naming the field */
export function readContext(context: Json): AssistantContext {
  const read = schema.safeParse(context ?? {})
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const field = ['context', ...(issue?.path ?? []).map(String)].join('.')
  throw new ServiceError('invalid-request', `${field} ${issue?.message ?? 'is wrong'}`)
}

/** What the page says of itself: data, that goes before the user's words. */
export function contextLines(context: Json): readonly string[] {
  const { context: entries = [] } = readContext(context)
  if (entries.length === 0) return []
  const lines = entries.map(({ description, value }) => `- ${oneLine(description, 500)}: ${told(value)}`)
  return asData('page-context', lines.join('\n'), MOST_OF_PAGE).split('\n')
}

function told(value: unknown): string {
  const words = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return words.length > MOST_OF_ENTRY ? `${words.slice(0, MOST_OF_ENTRY).toWellFormed()} … (cut)` : words
}

/** What the application's owner says, which tools the page has, and what the agent shares with it. */
export function briefing({ context, ofPage, state }: Briefed): string {
  const { instructions = [] } = readContext(context)
  const words = instructions.map(({ content }) => content.trim()).filter((content) => content !== '')
  const ownersWords = words.join('\n\n').slice(0, MOST_OF_WORDS).toWellFormed()
  return [
    ofPage.length > 0 &&
      `These of your tools act in the page that the user has open: ${ofPage.join(', ')}. What they return is what the page says.`,
    state !== undefined &&
      `You share a state with the application; update_state changes it. It is data, as JSON:\n${asData('shared-state', JSON.stringify(state), Number.POSITIVE_INFINITY)}`,
    ownersWords !== '' &&
      `# From the application's owner\n\nWhat follows holds where it does not contradict what stands above.\n\n${ownersWords}`,
  ]
    .filter((paragraph) => paragraph !== false)
    .join('\n\n')
}
