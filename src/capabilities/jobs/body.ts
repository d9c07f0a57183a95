import type { Context } from 'hono'
import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import { webUrl } from './canonical-url.ts'
import { sources } from './tables.ts'

/** A row has no larger number, and an offset needs none. */
const LARGEST = Number.MAX_SAFE_INTEGER

/** A text that must be there; a number in its place is a wrong type, not a missing text. */
function needed(missing: string, wrong: string): z.ZodType<string> {
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : wrong) })
    .refine((text) => text.trim() !== '', { error: missing })
    .transform((text) => text.trim())
}

function optionalText(field: string): z.ZodType<string | undefined> {
  return z
    .string({ error: `${field} must be a text` })
    .nullish()
    .transform((text) => text?.trim() || undefined)
}

const source = optionalText('source')
  .transform((text) => text?.toLowerCase())
  .pipe(z.enum(sources, { error: `source must be one of: ${sources.join(', ')}` }).optional())

/** What `POST /jobs` takes. */
export const newPostingBody = z
  .object({
    title: needed('title is required', 'title must be a text'),
    company: needed('company is required', 'company must be a text'),
    url: needed('url is required', 'url must be a text'),
    location: optionalText('location'),
    source,
    description: optionalText('description'),
  })
  .transform(({ url, ...rest }) => ({ ...rest, url: webUrl('url', url) }))

const WRONG_TIME = 'timestamp must be an ISO time or milliseconds since 1970'

/** What `POST /jobs/ingest` takes. `timestamp` is when the page was looked at: an ISO time, or ms since 1970. */
export const pageBody = z
  .object({
    url: needed('Missing url', 'url must be a text'),
    content: needed('Missing content', 'content must be a text'),
    timestamp: z.union([z.string(), z.number()], { error: WRONG_TIME }).nullish().refine(isTime, WRONG_TIME),
  })
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

/** Reads a JSON body. @throws ServiceError `invalid-request` with the first thing that is wrong with it */
export async function readBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.infer<S>> {
  const body = await c.req.text()
  const read = schema.safeParse(parse(body))
  if (read.success) return read.data
  const issue = read.error.issues[0]
  throw new ServiceError(
    'invalid-request',
    issue && issue.path.length > 0 ? issue.message : 'The body must be a JSON object',
  )
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new ServiceError('invalid-request', 'Invalid JSON', { cause })
  }
}

/** Reads a posting's id from an address. @throws ServiceError `invalid-request` */
export function readId(text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(id)) throw new ServiceError('invalid-request', 'Invalid job id')
  return Math.min(id, LARGEST)
}

/** Reads a whole number from a query. @throws ServiceError `invalid-request` */
export function readCount(
  field: string,
  text: string | undefined,
  [least, most, usual]: readonly [number, number, number],
): number {
  if (text === undefined || text === '') return usual
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= most) return count
  const range = most === LARGEST ? `${least} or more` : `from ${least} to ${most}`
  throw new ServiceError('invalid-request', `${field} must be a whole number, ${range}`)
}

/** Reads yes or no from a query. @throws ServiceError `invalid-request` */
export function readFlag(field: string, text: string | undefined): boolean | undefined {
  if (text === undefined || text === '') return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  throw new ServiceError('invalid-request', `${field} must be true or false`)
}
