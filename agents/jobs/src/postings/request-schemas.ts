import { z } from 'zod'

import { CONTROLS_BUT_BREAKS, requiredText, idField, neededLine, optionalText } from '../fields.ts'
import { webUrl } from '../pages/canonical-url.ts'
import { sources } from '../tables.ts'

/** Limits in characters. */
export const MAX_NAME_LENGTH = 500
export const MAX_URL_LENGTH = 2000
export const MAX_DESCRIPTION_LENGTH = 200_000
/** The URL of a page from a search is long. */
const MAX_PAGE_URL_LENGTH = 8000

const source = optionalText('source', MAX_NAME_LENGTH)
  .transform((text) => text?.toLowerCase())
  .pipe(z.enum(sources, { error: `source must be one of: ${sources.join(', ')}` }).optional())

/** The body of `POST /jobs`. */
export const newPostingBody = z
  .object({
    title: neededLine('title', MAX_NAME_LENGTH),
    company: neededLine('company', MAX_NAME_LENGTH),
    url: neededLine('url', MAX_URL_LENGTH),
    location: optionalText('location', MAX_NAME_LENGTH),
    source,
    salary: optionalText('salary', MAX_NAME_LENGTH).describe(
      'In the posting’s own words: `$120k–150k`, `30-50K·14薪`.',
    ),
    description: optionalText('description', MAX_DESCRIPTION_LENGTH, CONTROLS_BUT_BREAKS),
  })
  .meta({
    examples: [
      {
        title: 'Software Engineer (Remote)',
        company: 'Northwind',
        url: 'https://northwind.example/jobs/1',
        location: 'San Francisco',
        salary: '$150k–180k',
      },
    ],
  })
  .transform(({ url, ...rest }) => ({ ...rest, url: webUrl('url', url) }))

const WRONG_TIME = 'timestamp must be an ISO time or milliseconds since 1970'

const EXAMPLE_PAGE = {
  url: 'https://jobs.acme.example/7',
  content: `<h1>Data Engineer</h1><p>Acme, Hangzhou. ${'You build reliable pipelines. '.repeat(8).trim()}</p>`,
}

/** A page that a browser showed. `timestamp` is when: an ISO time, or ms since 1970. */
export const pageBody = z
  .object({
    url: neededLine('url', MAX_PAGE_URL_LENGTH, 'Missing url'),
    content: requiredText('content', 'Missing content'),
    title: optionalText('title', MAX_NAME_LENGTH).describe('Where the page does not say it, or not clearly.'),
    company: optionalText('company', MAX_NAME_LENGTH),
    location: optionalText('location', MAX_NAME_LENGTH),
    timestamp: z.union([z.string(), z.number()], { error: WRONG_TIME }).nullish().refine(isTime, WRONG_TIME),
  })
  .meta({ examples: [EXAMPLE_PAGE] })
  .transform(({ url, content, timestamp, ...named }) => ({
    url: webUrl('url', url),
    content,
    seenAt: past(timestamp),
    named,
  }))

function isTime(time: string | number | null | undefined): boolean {
  if (time === null || time === undefined) return true
  if (typeof time === 'string' && !/^\d{4}-\d\d-\d\dT\d\d:/.test(time)) return false
  return !Number.isNaN(new Date(time).getTime())
}

/** A time in the future comes from a wrong clock, and is ignored. */
function past(timestamp: string | number | null | undefined): Date | undefined {
  if (timestamp === null || timestamp === undefined) return undefined
  const time = new Date(timestamp)
  return time.getTime() <= Date.now() ? time : undefined
}

/** The posting in a path. */
export const postingPath = z.object({ id: idField('Invalid job id') })
