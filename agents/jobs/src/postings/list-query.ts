import { z } from 'zod'

import { count, MAX_INTEGER, optionalText, pageSize } from '../fields.ts'
import { sources } from '../tables.ts'
import { sorts } from './list.ts'
import type { Filters } from './search.ts'
import { statuses, statusFilter } from './status.ts'

const MAX_DAYS = 3650
const DAY_MS = 86_400_000

/** A form sends an empty field as an empty text. */
function unlessEmpty<S extends z.ZodType>(schema: S) {
  return z.preprocess((text) => (text === '' ? undefined : text), schema).optional()
}

function trueOrFalse(field: string) {
  const error = `${field} must be true or false`
  return unlessEmpty(z.stringbool({ truthy: ['true'], falsy: ['false'], error }).optional())
}

function number(field: string, [least, most]: readonly [number, number]) {
  const range = most === MAX_INTEGER ? `${least} or more` : `from ${least} to ${most}`
  const error = `${field} must be a whole number, ${range}`
  const text = z.string({ error }).regex(/^\d+$/, error).transform(Number)
  return unlessEmpty(text.pipe(z.int(error).min(least, error).max(most, error)).optional())
}

function oneOf<const T extends readonly string[]>(field: string, names: T) {
  return unlessEmpty(z.enum(names, { error: `${field} must be one of: ${names.join(', ')}` }).optional())
}

/** The query of `GET /jobs`. */
export const listQuery = z
  .object({
    status: z
      .string()
      .transform((text) => statusFilter('status', text))
      .optional()
      .meta({ type: 'string', enum: [...statuses, 'all'] }),
    starred: trueOrFalse('starred'),
    search: z.string().optional().describe('Words in title, company, place and description.'),
    location: optionalText('location', 200).meta({
      type: 'string',
      description: 'A city, region or country, Chinese or English.',
    }),
    company: optionalText('company', 200).meta({ type: 'string', description: 'A part of its name.' }),
    remote: trueOrFalse('remote'),
    minSalary: number('minSalary', [0, MAX_INTEGER]).describe('By the year, in the currency of the posting.'),
    postedWithinDays: number('postedWithinDays', [1, MAX_DAYS]),
    tag: optionalText('tag', 50).meta({ type: 'string' }),
    source: oneOf('source', sources),
    due: trueOrFalse('due').describe('true: only those whose follow-up is due.'),
    sort: oneOf('sort', sorts).describe('newest by default.'),
    limit: pageSize,
    offset: count('offset', [0, MAX_INTEGER, 0]),
    cursor: optionalText('cursor', 200).meta({
      type: 'string',
      description: 'The `nextCursor` of the page before.',
    }),
  })
  .refine(({ cursor, offset }) => cursor === undefined || offset === 0, {
    error: 'cursor and offset exclude each other',
    path: ['cursor'],
  })

/** Filters with absolute times in place of the query's relative ones. */
export function resolveTimes<Q extends { postedWithinDays?: number | undefined; due?: boolean | undefined }>(
  { postedWithinDays: days, due, ...rest }: Q,
  now: Date,
): Omit<Q, 'postedWithinDays' | 'due'> & Pick<Filters, 'postedSince' | 'due'> {
  return {
    ...rest,
    postedSince: days === undefined ? undefined : new Date(now.getTime() - days * DAY_MS).toISOString(),
    due: due === undefined ? undefined : { by: now.toISOString(), is: due },
  }
}
