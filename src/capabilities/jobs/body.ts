import type { Context } from 'hono'
import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import { webUrl } from './canonical-url.ts'
import { statuses, statusFilter } from './status.ts'
import { sources } from './tables.ts'

/** A row has no larger number, and an offset needs none. */
const LARGEST = Number.MAX_SAFE_INTEGER

/** How many characters a name and a place may have, an address, and a description. */
const MOST_NAME = 500
const MOST_URL = 2000
const MOST_DESCRIPTION = 200_000
/** As the address bar has it: a link from a search carries a lot. */
const MOST_PAGE_URL = 8000

const CONTROLS = /\p{Cc}+/gu
/** In a text of several lines, breaks and tabs have their place. */
const CONTROLS_BUT_BREAKS = /[^\P{Cc}\t\r\n]+/gu

/** A text that must be there; a number in its place is a wrong type, not a missing text. */
function given(field: string, missing = `${field} is required`): z.ZodType<string> {
  const wrong = `${field} must be a text`
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : wrong) })
    .transform((text) => text.trim())
    .refine((text) => text !== '', { error: missing })
}

/** The same on one line, without control characters. */
function neededLine(field: string, most: number, missing = `${field} is required`): z.ZodType<string> {
  return given(field, missing)
    .transform((text) => text.replace(CONTROLS, ' ').trim())
    .refine((text) => text !== '', { error: missing })
    .refine(...noLonger(field, most))
}

function optionalText(field: string, most: number, controls = CONTROLS): z.ZodType<string | undefined> {
  return z
    .string({ error: `${field} must be a text` })
    .nullish()
    .transform((text) => text?.replace(controls, ' ').trim() || undefined)
    .refine(...noLonger(field, most))
}

function noLonger(field: string, most: number): [(text: string | undefined) => boolean, { error: string }] {
  const error = `${field} may have at most ${most.toLocaleString('en-US')} characters`
  return [(text) => (text?.length ?? 0) <= most, { error }]
}

const source = optionalText('source', MOST_NAME)
  .transform((text) => text?.toLowerCase())
  .pipe(z.enum(sources, { error: `source must be one of: ${sources.join(', ')}` }).optional())

/** What `POST /jobs` takes. */
export const newPostingBody = z
  .object({
    title: neededLine('title', MOST_NAME),
    company: neededLine('company', MOST_NAME),
    url: neededLine('url', MOST_URL),
    location: optionalText('location', MOST_NAME),
    source,
    description: optionalText('description', MOST_DESCRIPTION, CONTROLS_BUT_BREAKS),
  })
  .meta({
    examples: [
      {
        title: 'Software Engineer (Remote)',
        company: 'Northwind',
        url: 'https://northwind.example/jobs/1',
        location: 'San Francisco',
      },
    ],
  })
  .transform(({ url, ...rest }) => ({ ...rest, url: webUrl('url', url) }))

const WRONG_TIME = 'timestamp must be an ISO time or milliseconds since 1970'

const EXAMPLE_PAGE = {
  url: 'https://jobs.acme.example/7',
  content: `<h1>Data Engineer</h1><p>Acme, Hangzhou. ${'You build pipelines that are still there on Monday. '.repeat(5).trim()}</p>`,
}

/** What `POST /jobs/ingest` takes. `timestamp` is when the page was looked at: an ISO time, or ms since 1970. */
export const pageBody = z
  .object({
    url: neededLine('url', MOST_PAGE_URL, 'Missing url'),
    content: given('content', 'Missing content'),
    timestamp: z.union([z.string(), z.number()], { error: WRONG_TIME }).nullish().refine(isTime, WRONG_TIME),
  })
  .meta({ examples: [EXAMPLE_PAGE] })
  .transform(({ url, content, timestamp }) => ({ url: webUrl('url', url), content, seenAt: past(timestamp) }))

function isTime(time: string | number | null | undefined): boolean {
  if (time === null || time === undefined) return true
  if (typeof time === 'string' && !/^\d{4}-\d\d-\d\dT\d\d:/.test(time)) return false
  return !Number.isNaN(new Date(time).getTime())
}

/** A clock that is ahead of ours says nothing of use. */
function past(timestamp: string | number | null | undefined): Date | undefined {
  if (timestamp === null || timestamp === undefined) return undefined
  const time = new Date(timestamp)
  return time.getTime() <= Date.now() ? time : undefined
}

/** What `GET /jobs` is asked. */
export const listQuery = z.object({
  status: z
    .string()
    .transform((text) => statusFilter('status', text))
    .optional()
    .meta({ type: 'string', enum: [...statuses, 'all'] }),
  // A form sends what is not filled in as an empty text.
  starred: z
    .preprocess(
      (text) => (text === '' ? undefined : text),
      z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'starred must be true or false' }).optional(),
    )
    .optional(),
  search: z.string().optional().describe('Words in title, company, place and description.'),
  limit: count('limit', [1, 100, 20]),
  offset: count('offset', [0, LARGEST, 0]),
})

/** Which posting a path means. No row has a larger id than we can count to. */
export const postingPath = z.object({
  id: z
    .string()
    .regex(/^\d+$/, 'Invalid job id')
    .transform((text) => Math.min(Number(text), LARGEST))
    .pipe(z.int())
    .meta({ examples: [1] }),
})

/** A whole number in a query. */
function count(field: string, [least, most, usual]: readonly [number, number, number]) {
  const range = most === LARGEST ? `${least} or more` : `from ${least} to ${most}`
  const error = `${field} must be a whole number, ${range}`
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .pipe(z.int(error).min(least, error).max(most, error))
    .default(usual)
}

/** Reads a JSON body; `mistake` adds the place where it is none. @throws ServiceError `invalid-request` with the first thing that is wrong with it */
export async function readBody<S extends z.ZodType>(
  c: Context,
  schema: S,
  mistake: (text: string) => string = () => '',
): Promise<z.infer<S>> {
  const bytes = await c.req.arrayBuffer()
  // It was refused meanwhile, as too slow: whoever was told so must not find it done.
  if (c.error) throw c.error
  return checked(schema, parse(decoded(bytes), mistake))
}

/** Checks what came. @throws ServiceError `invalid-request` with the first thing that is wrong with it */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  throw new ServiceError(
    'invalid-request',
    issue && issue.path.length > 0 ? issue.message : 'The body must be a JSON object',
  )
}

/** Words that we cannot read are not kept with holes in them. */
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The body is not UTF-8', { cause })
  }
}

function parse(body: string, mistake: (text: string) => string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new ServiceError('invalid-request', `Invalid JSON${mistake(body)}`, { cause })
  }
}
