import { z } from 'zod'

import { salaryOf, type Salary } from '../salary/salary.ts'
import { workplaceIn } from '../places/workplace.ts'
import {
  address,
  companyOf,
  html,
  listOf,
  moment,
  needed,
  pathOf,
  places,
  readAll,
  text,
  under,
  type BoardFormat,
  type RawPosting,
} from './format.ts'

const HOSTS = new Set([
  'boards.greenhouse.io',
  'job-boards.greenhouse.io',
  'job-boards.eu.greenhouse.io',
  'boards.eu.greenhouse.io',
])
const API = 'https://boards-api.greenhouse.io/v1/boards'

const amount = z.number().nullish().catch(null)
const range = z.object({
  min_cents: amount,
  max_cents: amount,
  currency_type: text,
  title: text,
  blurb: text,
})
const office = z.object({ name: text, location: z.union([text, z.object({ name: text })]).catch('') })
const shape = z.object({
  id: needed,
  title: needed,
  absolute_url: address,
  company_name: text,
  location: z.object({ name: text }).nullish().catch(null),
  offices: listOf(office),
  first_published: moment,
  updated_at: moment,
  content: html,
  pay_input_ranges: listOf(range),
})

/** https://developers.greenhouse.io/job-board.html */
export const greenhouse: BoardFormat = {
  kind: 'greenhouse',
  name: 'Greenhouse',
  slug: /^[\w-]{1,100}$/,
  slugOf,
  postingOf(url) {
    const slug = slugOf(url)
    const [, jobs, inPath] = pathOf(url)
    const id =
      (jobs === 'jobs' ? inPath : undefined) ??
      url.searchParams.get('token') ??
      url.searchParams.get('gh_jid') ??
      ''
    return slug !== undefined && /^\d+$/.test(id) ? { slug, id } : undefined
  },
  listAt: (slug) => new URL(`${API}/${encodeURIComponent(slug)}/jobs?content=true&pay_transparency=true`),
  postingAt: ({ slug, id }) =>
    new URL(`${API}/${encodeURIComponent(slug)}/jobs/${encodeURIComponent(id)}?pay_transparency=true`),
  read: (answer, slug) => readAll(shape, under('jobs', answer), (job) => posting(job, slug)),
}

/** Embedded boards name the company in `for`. */
function slugOf(url: URL): string | undefined {
  if (!HOSTS.has(url.hostname)) return undefined
  const [first] = pathOf(url)
  return first === 'embed' ? (url.searchParams.get('for') ?? undefined) : first
}

function posting(job: z.infer<typeof shape>, slug: string): RawPosting {
  const stated = job.location?.name ?? ''
  // Some say only how the work is done; the city stands in the offices.
  const vague = stated.replace(/\b(hybrid|remote|on-?site|in[- ]office)\b|[\s,;|()/-]+/gi, '') === ''
  const offices = job.offices.map(({ name, location }) =>
    typeof location === 'string' ? location || name : location.name || name,
  )
  return {
    id: job.id,
    url: job.absolute_url,
    title: job.title,
    company: job.company_name || companyOf(slug),
    location: vague ? places(...offices) || stated : stated,
    workplace: workplaceIn(`${job.title} ${stated}`),
    employmentType: null,
    salary: salary(job.pay_input_ranges),
    html: job.content,
    postedAt: job.first_published ?? job.updated_at,
    validThrough: null,
  }
}

/** The first of the ranges: others are for other places. The period stands, if anywhere, in the words round it. */
function salary([first]: readonly z.infer<typeof range>[]): Salary | null {
  if (!first) return null
  const words = `${first.title} ${first.blurb}`
  const hourly = /\bhour(ly)?\b/i.test(words)
  const yearly = /\b(annual(ly)?|year(ly)?|per annum|salary)\b/i.test(words)
  const unit = hourly ? 'HOUR' : yearly ? 'YEAR' : null
  return salaryOf({
    currency: first.currency_type,
    value: { minValue: whole(first.min_cents), maxValue: whole(first.max_cents), unitText: unit },
  })
}

function whole(cents: number | null | undefined): number | null {
  return typeof cents === 'number' ? cents / 100 : null
}
