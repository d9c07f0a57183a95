import { z } from 'zod'

import { salaryOf } from '../salary/salary.ts'
import { workplaceIn } from '../places/workplace.ts'
import {
  address,
  companyOf,
  html,
  json,
  listOf,
  moment,
  needed,
  pathOf,
  places,
  readAll,
  section,
  text,
  under,
  workplaceOf,
  type BoardFormat,
  type RawPosting,
} from './format.ts'

const EU = 'eu:'

const shape = z.object({
  id: needed,
  text: needed,
  hostedUrl: address,
  createdAt: moment,
  workplaceType: text,
  categories: z
    .object({ location: text, allLocations: listOf(needed), commitment: text })
    .nullish()
    .catch(null),
  description: html,
  descriptionPlain: html,
  lists: listOf(z.object({ text, content: html })),
  additional: html,
  additionalPlain: html,
  salaryRange: z.object({ min: json, max: json, currency: text, interval: text }).nullish().catch(null),
})

/** https://github.com/lever/postings-api */
export const lever: BoardFormat = {
  kind: 'lever',
  name: 'Lever',
  slug: /^(eu:)?[\w.-]{1,100}$/,
  slugOf,
  postingOf(url) {
    const slug = slugOf(url)
    const id = pathOf(url)[1] ?? ''
    return slug !== undefined && /^[\da-f-]{20,40}$/i.test(id) ? { slug, id } : undefined
  },
  listAt: (slug) => at(slug, '', '?mode=json'),
  postingAt: ({ slug, id }) => at(slug, `/${encodeURIComponent(id)}`, '?mode=json'),
  read: (answer, slug) => readAll(shape, under('', answer), (job) => posting(job, slug)),
}

function slugOf(url: URL): string | undefined {
  const [first] = pathOf(url)
  if (url.hostname === 'jobs.lever.co') return first
  return url.hostname === 'jobs.eu.lever.co' && first !== undefined ? `${EU}${first}` : undefined
}

function at(slug: string, path: string, query: string): URL {
  const european = slug.startsWith(EU)
  const site = european ? slug.slice(EU.length) : slug
  const host = european ? 'api.eu.lever.co' : 'api.lever.co'
  return new URL(`https://${host}/v0/postings/${encodeURIComponent(site)}${path}${query}`)
}

function posting(job: z.infer<typeof shape>, slug: string): RawPosting {
  const { location = '', allLocations = [], commitment = '' } = job.categories ?? {}
  const lists = job.lists.map((list) => section(list.text, `<ul>${list.content}</ul>`))
  const range = job.salaryRange
  return {
    id: job.id,
    url: job.hostedUrl,
    title: job.text,
    company: companyOf(slug),
    location: places(location, ...allLocations),
    workplace: workplaceOf(job.workplaceType) ?? workplaceIn(`${job.text} ${location} ${commitment}`),
    employmentType: commitment || null,
    salary: range
      ? salaryOf({ currency: range.currency, value: { ...ends(range), unitText: unit(range) } })
      : null,
    html: [
      job.description || paragraphs(job.descriptionPlain),
      ...lists,
      job.additional || paragraphs(job.additionalPlain),
    ].join('\n'),
    postedAt: job.createdAt,
    validThrough: null,
  }
}

type Range = NonNullable<z.infer<typeof shape>['salaryRange']>

function ends({ min, max }: Range) {
  return { minValue: min, maxValue: max }
}

/** `per-year-salary`, `per-hour-wage`. */
function unit({ interval }: Range): string | null {
  return /\bper-(hour|day|week|month|year)\b/i.exec(interval)?.[1] ?? null
}

/** Plain text as HTML, for it stands beside lists that are HTML. */
function paragraphs(plain: string): string {
  return plain
    .replaceAll(/&/g, '&amp;')
    .replaceAll(/</g, '&lt;')
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll(/\n/g, '<br>')}</p>`)
    .join('')
}
