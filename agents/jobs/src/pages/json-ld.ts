import { isJsonObject, type Json } from 'dragoman/events'
import { canonicalUrl } from './canonical-url.ts'
import { parseLooseJson } from './loose-json.ts'
import { MAX_MARKDOWN_CHARACTERS, toMarkdown } from '@dragoman/agent-kit/pages/to-markdown'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { htmlToText } from '@dragoman/agent-kit/pages/page-markup'
import { salaryOf, type Salary } from '../salary/salary.ts'
import { joinPlaceParts, joinPlaces } from '../places/join-places.ts'
import { workplaceIn, type Workplace } from '../places/workplace.ts'

/** A JobPosting of https://schema.org/JobPosting. */
export type DataPosting = {
  readonly title: string
  readonly company: string
  readonly location: string
  readonly workplace: Workplace | null
  readonly employmentType: string | null
  readonly salary: Salary | null
  readonly description: string
  readonly postedAt: string | null
  readonly validThrough: string | null
}

type Thing = { readonly [key: string]: Json }

/** Postings are nested in lists, graphs and pages. */
const MAX_LEVELS = 8
const MAX_LIST_ITEMS = 200
const MAX_EMPLOYMENT_TYPES = 5

/** The posting in a page's JSON-LD: of several the one with the page's URL, else the first. */
export function dataPosting(blocks: readonly string[], url: URL): DataPosting | undefined {
  const all = blocks.flatMap((block) => {
    const data = parseLooseJson(block)
    return data === undefined ? [] : postingsIn(data, 0)
  })
  const posting = all.find((each) => isAt(each, url)) ?? all[0]
  return posting && read(posting)
}

function postingsIn(data: Json, level: number): readonly Thing[] {
  if (level > MAX_LEVELS) return []
  if (Array.isArray(data)) return data.flatMap((each: Json) => postingsIn(each, level + 1))
  if (!isJsonObject(data)) return []
  if (isPosting(data['@type'])) return [data]
  return ['@graph', 'mainEntity', 'itemListElement', 'item'].flatMap((key) =>
    postingsIn(data[key] ?? null, level + 1),
  )
}

function isPosting(type: Json | undefined): boolean {
  return list(type).some((each) => typeof each === 'string' && /(^|[/#:])JobPosting$/.test(each))
}

function isAt(posting: Thing, url: URL): boolean {
  return [posting['url'], posting['@id'], posting['mainEntityOfPage']].some((address) => {
    const other = typeof address === 'string' ? URL.parse(address, url.href) : null
    return other !== null && canonicalUrl(other) === canonicalUrl(url)
  })
}

function read(posting: Thing): DataPosting {
  const places = list(posting['jobLocation']).map(place)
  const regions = list(posting['applicantLocationRequirements']).map(name)
  const remote = list(posting['jobLocationType']).some((type) => type === 'TELECOMMUTE')
  const types = list(posting['employmentType']).slice(0, MAX_EMPLOYMENT_TYPES).map(name).filter(Boolean)
  const title = name(posting['title'] ?? posting['name'])
  const location = joinPlaces(places) || joinPlaces(regions)
  return {
    title,
    company: name(posting['hiringOrganization']),
    location,
    workplace: remote ? 'remote' : workplaceIn(`${title} ${location}`),
    employmentType: types.join(', ') || null,
    salary: salaryOf(posting['baseSalary'] ?? posting['estimatedSalary']),
    description: description(posting),
    postedAt: date(posting['datePosted']),
    validThrough: date(posting['validThrough']),
  }
}

/** Some sites list duties and requirements in fields of their own. */
function description(posting: Thing): string {
  const parts = ['description', 'responsibilities', 'qualifications', 'skills', 'jobBenefits'].map((key) =>
    list(posting[key])
      .filter((each) => typeof each === 'string')
      .map(toMarkdown)
      .join('\n'),
  )
  const [main = '', ...others] = parts
  const whole = [main, ...others.filter((part) => !main.includes(part))].filter(Boolean).join('\n\n')
  return whole.slice(0, MAX_MARKDOWN_CHARACTERS)
}

function place(value: Json): string {
  if (!isJsonObject(value)) return name(value)
  const address = value['address'] ?? value
  if (!isJsonObject(address)) return name(address)
  const parts = ['addressLocality', 'addressRegion', 'addressCountry'].map((key) => name(address[key]))
  return joinPlaceParts(parts) || name(value)
}

function name(value: Json | undefined): string {
  if (typeof value === 'string') return toSingleLine(htmlToText(value.slice(0, 300)))
  if (Array.isArray(value)) return name(value[0])
  return isJsonObject(value) ? name(value['name'] ?? value['legalName']) : ''
}

function list(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.slice(0, MAX_LIST_ITEMS) : [value]
}

/** A day or a time as an ISO string; null for a day that does not exist. */
function date(value: Json | undefined): string | null {
  const parts =
    typeof value === 'string'
      ? /^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})(T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/.exec(value)
      : null
  if (!parts) return null
  const [, year = '', month = '', day = '', time = ''] = parts
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const midnight = new Date(`${iso}T00:00:00Z`)
  // JavaScript reads a 31st of February as a day in March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(iso)) return null
  const moment = new Date(time && `${iso}${/[Z+-]/.test(time) ? time : `${time}Z`}`)
  return (Number.isNaN(moment.getTime()) ? midnight : moment).toISOString()
}
