import type { Json } from 'dragoman/events'
import { lineAt, listAt, textAt, timeAt, valueAt } from '../json-fields.ts'
import { joinPlaceParts, joinPlaces } from '../places/join-places.ts'
import { workplaceIn, type Workplace } from '../places/workplace.ts'
import { pathParts } from '../url-path.ts'
import { statedSalary } from '../salary/read-salary.ts'
import type { Salary } from '../salary/salary.ts'
import { companyName, payRange, type BoardFormat, type BoardKind } from './board-format.ts'
import { lever } from './lever.ts'
import { smartrecruiters } from './smartrecruiters.ts'

/** https://developers.greenhouse.io/job-board.html */
const greenhouse: BoardFormat = {
  kind: 'greenhouse',
  name: 'Greenhouse',
  slugPattern: /^[\w-]{1,100}$/,
  locate(url) {
    if (!/^(?:job-)?boards(?:\.eu)?\.greenhouse\.io$/.test(url.hostname)) return {}
    const query = (name: string): string | undefined => url.searchParams.get(name) ?? undefined
    const [first, section, number] = pathParts(url)
    const id = (section === 'jobs' ? number : undefined) ?? query('token') ?? query('gh_jid') ?? ''
    // An embedded board names its company in the query.
    return { slug: first === 'embed' ? query('for') : first, id: /^\d+$/.exec(id)?.[0] }
  },
  listUrl: (slug) => `${GREENHOUSE_API}/${encodeURIComponent(slug)}/jobs?content=true&pay_transparency=true`,
  postingUrl: ({ slug, id }) =>
    `${GREENHOUSE_API}/${encodeURIComponent(slug)}/jobs/${encodeURIComponent(id)}?pay_transparency=true`,
  listField: 'jobs',
  read(job, slug) {
    const title = lineAt(job, 'title')
    const location = lineAt(job, 'location', 'name')
    // Some state only the kind of workplace there; the city is in the offices.
    const isVague = location.replace(/\b(hybrid|remote|on-?site|in[- ]office)\b|[\s,;|()/-]+/gi, '') === ''
    const offices = listAt(job, 'offices').map(
      (office) => lineAt(office, 'location', 'name') || lineAt(office, 'location') || lineAt(office, 'name'),
    )
    return {
      id: lineAt(job, 'id'),
      url: textAt(job, 'absolute_url'),
      title,
      company: lineAt(job, 'company_name') || companyName(slug),
      location: (isVague && joinPlaces(offices)) || location,
      workplace: workplaceIn(`${title} ${location}`),
      salary: greenhousePay(valueAt(job, 'pay_input_ranges', '0')),
      html: textAt(job, 'content'),
      postedAt: timeAt(job, 'first_published') ?? timeAt(job, 'updated_at'),
    }
  },
}

const GREENHOUSE_API = 'https://boards-api.greenhouse.io/v1/boards'

/** Sums are in cents. The period is, if anywhere, in the words of the range. */
function greenhousePay(range: Json | undefined): Salary | null {
  const words = `${lineAt(range, 'title')} ${lineAt(range, 'blurb')}`
  const isYearly = /\b(annual(ly)?|year(ly)?|per annum|salary)\b/i.test(words)
  const unit = /\bhour(ly)?\b/i.test(words) ? 'HOUR' : isYearly ? 'YEAR' : ''
  const sum = (field: string): number => Number(valueAt(range, field) ?? 0) / 100
  return payRange(
    { currency: lineAt(range, 'currency_type'), min: sum('min_cents'), max: sum('max_cents') },
    unit,
  )
}

/** https://developers.ashbyhq.com/docs/public-job-posting-api */
const ashby: BoardFormat = {
  kind: 'ashby',
  name: 'Ashby',
  slugPattern: /^[^/\\?#\p{Cc}]{1,100}$/u,
  locate(url) {
    if (url.hostname !== 'jobs.ashbyhq.com') return {}
    const [slug, id = ''] = pathParts(url)
    return { slug, id: /^[\da-f-]{20,40}$/i.exec(id)?.[0] }
  },
  listUrl: (slug) =>
    `https://api.ashbyhq.com/posting-api/job-board/${encodeURIComponent(slug)}?includeCompensation=true`,
  listField: 'jobs',
  read(job, slug) {
    // An unlisted posting is only for people who were given its address.
    if (valueAt(job, 'isListed') === false) return undefined
    const title = lineAt(job, 'title')
    const location = lineAt(job, 'location')
    const others = listAt(job, 'secondaryLocations').map((other) => lineAt(other, 'location'))
    // `isRemote` is also set for postings whose `workplaceType` is hybrid.
    const isRemote = valueAt(job, 'isRemote') === true
    return {
      id: lineAt(job, 'id'),
      url: textAt(job, 'jobUrl'),
      title,
      company: companyName(slug),
      location: joinPlaces([location, ...others]),
      workplace:
        workplaceIn(lineAt(job, 'workplaceType')) ??
        (isRemote ? 'remote' : workplaceIn(`${title} ${location}`)),
      // `FullTime` → `Full Time`
      employmentType: lineAt(job, 'employmentType').replace(/([a-z])([A-Z])/g, '$1 $2') || null,
      salary: ashbyPay(job),
      html: textAt(job, 'descriptionHtml') || textAt(job, 'descriptionPlain'),
      postedAt: timeAt(job, 'publishedAt'),
    }
  },
}

function ashbyPay(job: Json): Salary | null {
  if (valueAt(job, 'shouldDisplayCompensationOnJobPostings') === false) return null
  const compensation = valueAt(job, 'compensation')
  const pay = listAt(compensation, 'summaryComponents').find(
    (component) => lineAt(component, 'compensationType') === 'Salary',
  )
  const [currency = null, min = null, max = null] = ['currencyCode', 'minValue', 'maxValue'].map((field) =>
    valueAt(pay, field),
  )
  const range = payRange({ currency, min, max }, lineAt(pay, 'interval').replace(/^1 /, ''))
  const words =
    lineAt(compensation, 'scrapeableCompensationSalarySummary') ||
    lineAt(compensation, 'compensationTierSummary')
  return range ?? (words === '' ? null : statedSalary(words))
}

/** The widget for companies' own sites: https://apply.workable.com/api/v1/widget/accounts/… */
const workable: BoardFormat = {
  kind: 'workable',
  name: 'Workable',
  slugPattern: /^[\w-]{1,100}$/,
  locate(url) {
    const id = /\/j\/([\dA-Z]{6,20})(?:\/|$)/i.exec(url.pathname)?.[1]?.toUpperCase()
    if (url.hostname !== 'apply.workable.com') return { slug: subdomain(url, 'workable.com'), id }
    const [first] = pathParts(url)
    // `apply.workable.com/j/…` does not say which company's posting it is.
    return { slug: first === 'j' || first === 'api' ? undefined : first, id }
  },
  listUrl: (slug) =>
    `https://apply.workable.com/api/v1/widget/accounts/${encodeURIComponent(slug)}?details=true`,
  listField: 'jobs',
  read(job, slug, answer) {
    const title = lineAt(job, 'title')
    const first = placeAt(job, ['city', 'state', 'country'])
    const others = listAt(job, 'locations').map((place) => placeAt(place, ['city', 'region', 'country']))
    const isRemote = valueAt(job, 'telecommuting') === true
    return {
      id: lineAt(job, 'shortcode'),
      url: textAt(job, 'url'),
      title,
      company: lineAt(answer, 'name') || companyName(slug),
      location: joinPlaces([first, ...others]),
      workplace:
        workplaceIn(lineAt(job, 'workplace_type')) ??
        (isRemote ? 'remote' : workplaceIn(`${title} ${first}`)),
      employmentType: lineAt(job, 'employment_type') || null,
      html: textAt(job, 'description'),
      postedAt: timeAt(job, 'published_on') ?? timeAt(job, 'created_at'),
    }
  },
}

/** https://docs.recruitee.com/reference/intro-to-careers-site-api */
const recruitee: BoardFormat = {
  kind: 'recruitee',
  name: 'Recruitee',
  // The slug is part of a host name.
  slugPattern: /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i,
  locate: (url) => ({
    slug: subdomain(url, 'recruitee.com'),
    // A language may precede it: /en/o/senior-engineer
    id: /(?:^|\/)o\/([^/]+)/.exec(pathParts(url).join('/'))?.[1],
  }),
  listUrl: (slug) => `https://${slug}.recruitee.com/api/offers/`,
  listField: 'offers',
  read(job, slug) {
    if (!['', 'published'].includes(lineAt(job, 'status'))) return undefined
    const places = listAt(job, 'locations').map((place) => placeAt(place, ['city', 'state', 'country']))
    return {
      id: lineAt(job, 'slug'),
      url: textAt(job, 'careers_url'),
      title: lineAt(job, 'title'),
      company: lineAt(job, 'company_name') || companyName(slug),
      location: joinPlaces(places) || placeAt(job, ['city', 'country']) || lineAt(job, 'location'),
      workplace: recruiteeWorkplace(job),
      employmentType: lineAt(job, 'employment_type_code').replaceAll('_', ' ') || null,
      salary: payRange(valueAt(job, 'salary'), lineAt(job, 'salary', 'period')),
      html: `${textAt(job, 'description')}\n${textAt(job, 'requirements')}`,
      postedAt: timeAt(job, 'published_at') ?? timeAt(job, 'created_at'),
    }
  },
}

/** Several flags may be set. Hybrid wins; remote and on site together say nothing. */
function recruiteeWorkplace(job: Json): Workplace | null {
  const [isHybrid, isRemote, isOnsite] = ['hybrid', 'remote', 'on_site'].map(
    (flag) => valueAt(job, flag) === true,
  )
  if (isHybrid) return 'hybrid'
  if (isRemote) return isOnsite ? null : 'remote'
  return isOnsite ? 'onsite' : workplaceIn(lineAt(job, 'title'))
}

/** Host names of the boards' own pages. */
const OWN_HOSTS = /^(?:www|api|app|apply|auth|careers|developers|docs|go|help|jobs|resources|support)$/

/** The company in a host name, such as `acme.workable.com`. */
function subdomain(url: URL, domain: string): string | undefined {
  const label = url.hostname.endsWith(`.${domain}`) ? url.hostname.slice(0, -domain.length - 1) : ''
  return /^[\w-]+$/.test(label) && !OWN_HOSTS.test(label) ? label : undefined
}

function placeAt(json: Json, fields: readonly string[]): string {
  return joinPlaceParts(fields.map((field) => lineAt(json, field)))
}

/** How each kind of board is read. */
export const boardFormats: Readonly<Record<BoardKind, BoardFormat>> = {
  greenhouse,
  lever,
  ashby,
  workable,
  smartrecruiters,
  recruitee,
}
