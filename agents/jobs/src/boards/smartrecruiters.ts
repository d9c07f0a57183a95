import { z } from 'zod'

import { salaryOf } from '../salary/salary.ts'
import { workplaceIn, type Workplace } from '../places/workplace.ts'
import {
  companyOf,
  flag,
  html,
  json,
  moment,
  needed,
  pathOf,
  place,
  readAll,
  section,
  slugInPath,
  text,
  under,
  type BoardFormat,
  type RawPosting,
} from './format.ts'

const HOSTS = ['jobs.smartrecruiters.com', 'careers.smartrecruiters.com']
const API = 'https://api.smartrecruiters.com/v1/companies'
const PAGE = 100
/** No company has more; a board that says so goes round in circles. */
const MAX_OFFSET = 20_000

const part = z.object({ title: text, text: html }).nullish().catch(null)
const label = z.object({ label: text }).nullish().catch(null)
const shape = z.object({
  id: needed,
  name: needed,
  postingUrl: text,
  company: z.object({ identifier: text, name: text }).nullish().catch(null),
  location: z
    .object({
      fullLocation: text,
      city: text,
      region: text,
      country: text,
      remote: flag,
      hybrid: flag,
    })
    .nullish()
    .catch(null),
  typeOfEmployment: label,
  releasedDate: moment,
  compensation: z.object({ min: json, max: json, currency: text, period: text }).nullish().catch(null),
  jobAd: z
    .object({
      sections: z.object({
        companyDescription: part,
        jobDescription: part,
        qualifications: part,
        additionalInformation: part,
      }),
    })
    .nullish()
    .catch(null),
})
type Job = z.infer<typeof shape>

/** https://developers.smartrecruiters.com/docs/posting-api */
export const smartrecruiters: BoardFormat = {
  kind: 'smartrecruiters',
  name: 'SmartRecruiters',
  brief: true,
  slug: /^[\w.-]{1,100}$/,
  slugOf,
  postingOf(url) {
    const slug = slugOf(url)
    // The title stands behind the id: 744000012345678-senior-engineer
    const id = /^(\d{6,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:-|$)/i.exec(pathOf(url)[1] ?? '')?.[1]
    return slug !== undefined && id !== undefined ? { slug, id } : undefined
  },
  listAt: (slug, offset) =>
    new URL(`${API}/${encodeURIComponent(slug)}/postings?limit=${PAGE}&offset=${offset}`),
  postingAt: ({ slug, id }) =>
    new URL(`${API}/${encodeURIComponent(slug)}/postings/${encodeURIComponent(id)}`),
  read: (answer, slug) => readAll(shape, under('content', answer), (job) => posting(job, slug)),
  nextOf(answer) {
    const page = paged.safeParse(answer).data
    const next = page ? page.offset + page.content.length : 0
    return page && page.content.length > 0 && next < Math.min(page.totalFound, MAX_OFFSET) ? next : null
  },
}

const paged = z.object({ offset: z.number(), totalFound: z.number(), content: z.array(z.unknown()) })

function slugOf(url: URL): string | undefined {
  const slug = slugInPath(url, HOSTS)
  return slug === 'oneclick-ui' || slug === 'sr-jobs' ? undefined : slug
}

function posting(job: Job, slug: string): RawPosting {
  const spot = job.location
  const company = job.company?.identifier || slug
  const sections = job.jobAd?.sections
  const parts = sections
    ? [
        sections.jobDescription,
        sections.qualifications,
        sections.additionalInformation,
        sections.companyDescription,
      ]
    : []
  return {
    id: job.id,
    url: job.postingUrl || `https://jobs.smartrecruiters.com/${encodeURIComponent(company)}/${job.id}`,
    title: job.name,
    company: job.company?.name || companyOf(slug),
    location: spot?.fullLocation || place(spot?.city ?? '', spot?.region ?? '', country(spot?.country ?? '')),
    workplace: workplace(job),
    employmentType: job.typeOfEmployment?.label || null,
    salary: job.compensation
      ? salaryOf({
          currency: job.compensation.currency,
          value: {
            minValue: job.compensation.min,
            maxValue: job.compensation.max,
            unitText: job.compensation.period,
          },
        })
      : null,
    html: parts.map((each) => section(each?.title ?? '', each?.text ?? '')).join('\n'),
    postedAt: job.releasedDate,
    validThrough: null,
  }
}

function workplace({ name, location }: Job): Workplace | null {
  if (location?.hybrid === true) return 'hybrid'
  return location?.remote === true ? 'remote' : workplaceIn(name)
}

/** It writes countries as `us`. */
function country(code: string): string {
  return /^[a-z]{2}$/.test(code) ? code.toUpperCase() : code
}
