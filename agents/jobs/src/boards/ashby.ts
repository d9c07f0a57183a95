import { z } from 'zod'

import { statedSalary } from '../salary/read-salary.ts'
import { salaryOf, type Salary } from '../salary/salary.ts'
import { workplaceIn, type Workplace } from '../places/workplace.ts'
import {
  address,
  companyOf,
  flag,
  html,
  json,
  listOf,
  moment,
  needed,
  pathOf,
  places,
  readAll,
  slugInPath,
  text,
  under,
  workplaceOf,
  type BoardFormat,
  type RawPosting,
} from './format.ts'

const HOSTS = ['jobs.ashbyhq.com']

const component = z.object({
  compensationType: text,
  interval: text,
  currencyCode: text,
  minValue: json,
  maxValue: json,
})
const shape = z.object({
  id: needed,
  title: needed,
  jobUrl: address,
  isListed: flag,
  employmentType: text,
  location: text,
  secondaryLocations: listOf(z.object({ location: text })),
  isRemote: flag,
  workplaceType: text,
  publishedAt: moment,
  descriptionHtml: html,
  descriptionPlain: html,
  shouldDisplayCompensationOnJobPostings: flag,
  compensation: z
    .object({
      compensationTierSummary: text,
      scrapeableCompensationSalarySummary: text,
      summaryComponents: listOf(component),
    })
    .nullish()
    .catch(null),
})
type Job = z.infer<typeof shape>

/** https://developers.ashbyhq.com/docs/public-job-posting-api */
export const ashby: BoardFormat = {
  kind: 'ashby',
  name: 'Ashby',
  slug: /^[^/\\?#\p{Cc}]{1,100}$/u,
  slugOf: (url) => slugInPath(url, HOSTS),
  postingOf(url) {
    const slug = slugInPath(url, HOSTS)
    const id = pathOf(url)[1] ?? ''
    return slug !== undefined && /^[\da-f-]{20,40}$/i.test(id) ? { slug, id } : undefined
  },
  listAt: (slug) =>
    new URL(
      `https://api.ashbyhq.com/posting-api/job-board/${encodeURIComponent(slug)}?includeCompensation=true`,
    ),
  read: (answer, slug) =>
    // What is not listed is open only to those who were given its address.
    readAll(
      shape.refine(({ isListed }) => isListed !== false),
      under('jobs', answer),
      (job) => posting(job, slug),
    ),
}

function posting(job: Job, slug: string): RawPosting {
  const others = job.secondaryLocations.map(({ location }) => location)
  return {
    id: job.id,
    url: job.jobUrl,
    title: job.title,
    company: companyOf(slug),
    location: places(job.location, ...others),
    workplace: workplace(job),
    // `FullTime` → `Full Time`
    employmentType: job.employmentType.replace(/([a-z])([A-Z])/g, '$1 $2') || null,
    salary: job.shouldDisplayCompensationOnJobPostings === false ? null : salary(job),
    html: job.descriptionHtml || job.descriptionPlain,
    postedAt: job.publishedAt,
    validThrough: null,
  }
}

/** `isRemote` is also set where somebody may come in now and then. */
function workplace(job: Job): Workplace | null {
  const stated = workplaceOf(job.workplaceType)
  if (stated !== null) return stated
  return job.isRemote === true ? 'remote' : workplaceIn(`${job.title} ${job.location}`)
}

function salary({ compensation }: Job): Salary | null {
  if (!compensation) return null
  const pay = compensation.summaryComponents.find(({ compensationType }) => compensationType === 'Salary')
  const unit = /^1 (hour|day|week|month|year)$/i.exec(pay?.interval ?? '')?.[1] ?? null
  const range = pay && {
    currency: pay.currencyCode,
    value: { minValue: pay.minValue, maxValue: pay.maxValue, unitText: unit },
  }
  const words = compensation.scrapeableCompensationSalarySummary || compensation.compensationTierSummary
  return salaryOf(range) ?? (words === '' ? null : statedSalary(words))
}
