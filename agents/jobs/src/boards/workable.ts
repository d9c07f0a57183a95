import { z } from 'zod'

import { isJsonObject } from 'dragoman/events'
import { workplaceIn } from '../places/workplace.ts'
import {
  address,
  companyOf,
  flag,
  html,
  listOf,
  moment,
  needed,
  pathOf,
  place,
  places,
  readAll,
  text,
  under,
  workplaceOf,
  type BoardFormat,
  type RawPosting,
} from './format.ts'

/** Hosts of Workable's own, that belong to no company. */
const NO_COMPANY = new Set(['www', 'apply', 'jobs', 'help', 'resources', 'developers', 'careers', 'go'])

const spot = z.object({ city: text, region: text, country: text })
const shape = z.object({
  shortcode: needed,
  title: needed,
  url: address,
  telecommuting: flag,
  workplace_type: text,
  employment_type: text,
  city: text,
  state: text,
  country: text,
  locations: listOf(spot),
  published_on: moment,
  created_at: moment,
  description: html,
})

/** The widget that companies put on their own sites: https://apply.workable.com/api/v1/widget/accounts/… */
export const workable: BoardFormat = {
  kind: 'workable',
  name: 'Workable',
  slug: /^[\w-]{1,100}$/,
  slugOf,
  postingOf(url) {
    const slug = slugOf(url)
    const id = /\/j\/([\dA-Z]{6,20})(?:\/|$)/i.exec(url.pathname)?.[1]?.toUpperCase()
    return slug !== undefined && id !== undefined ? { slug, id } : undefined
  },
  listAt: (slug) =>
    new URL(`https://apply.workable.com/api/v1/widget/accounts/${encodeURIComponent(slug)}?details=true`),
  read(answer, slug) {
    const company = isJsonObject(answer) ? text.parse(answer['name']) : ''
    return readAll(shape, under('jobs', answer), (job) => posting(job, company || companyOf(slug)))
  },
}

/** `apply.workable.com/j/…` alone does not tell whose posting it is. */
function slugOf(url: URL): string | undefined {
  const [first] = pathOf(url)
  if (url.hostname === 'apply.workable.com') return first === 'j' || first === 'api' ? undefined : first
  const company = /^([\w-]+)\.workable\.com$/.exec(url.hostname)?.[1]
  return company === undefined || NO_COMPANY.has(company) ? undefined : company
}

function posting(job: z.infer<typeof shape>, company: string): RawPosting {
  const first = place(job.city, job.state, job.country)
  const others = job.locations.map(({ city, region, country }) => place(city, region, country))
  return {
    id: job.shortcode,
    url: job.url,
    title: job.title,
    company,
    location: places(first, ...others),
    workplace:
      workplaceOf(job.workplace_type) ??
      (job.telecommuting === true ? 'remote' : workplaceIn(`${job.title} ${first}`)),
    employmentType: job.employment_type || null,
    salary: null,
    html: job.description,
    postedAt: job.published_on ?? job.created_at,
    validThrough: null,
  }
}
