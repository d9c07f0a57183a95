import { extractReadableText } from '@dragoman/agent-kit/pages/extract-readable-text'
import { dataPosting, type DataPosting } from './json-ld.ts'
import { toMarkdown } from '@dragoman/agent-kit/pages/to-markdown'
import {
  extractMarkup,
  MAX_PAGE_CHARACTERS,
  parsePage,
  type Page,
} from '@dragoman/agent-kit/pages/page-markup'
import { readLabelledFacts } from './labelled-facts.ts'
import { findEmbeddedState } from './find-embedded-state.ts'
import { readPostingHeadings } from './read-posting-headings.ts'
import { statedSalary } from '../salary/read-salary.ts'
import { DESCRIPTION_BEGINS, readPastedPage } from './sites/read-pasted-page.ts'
import { readSite } from './sites/read-site.ts'
import { mergeReadings, type SiteReading } from './sites/site.ts'
import { siteOf, stateReaders } from './sites/sites.ts'
import type { Source } from '../tables.ts'
import { unreadable } from './unreadable.ts'
import { readUrlFacts } from './url-facts.ts'
import { detectAccessWall } from './detect-access-wall.ts'
import { workplaceIn } from '../places/workplace.ts'

/** What the client that sends a page has read in it by itself. */
export type NamedFacts = {
  readonly title?: string | undefined
  readonly company?: string | undefined
  readonly location?: string | undefined
}

/** A posting as a page shows it. What the page does not say is '' or null. */
export type PagePosting = DataPosting & { readonly source: Source }

/** Less text than this is a notice or a door, not a posting. */
const MIN_CHARACTERS = 160
/** Where a board is known to show it, a description may be shorter. */
const MIN_OWN_CHARACTERS = 100

/**
 * Reads the posting on a page: its JSON-LD, then what its board is known to show where, then its text. @throws
 * ServiceError `invalid-request`, with the reason
 */
export function readPostingPage(
  content: string,
  url: URL,
  seenAt: Date = new Date(),
  named: NamedFacts = {},
): PagePosting {
  const posting = readContent(content, url, seenAt, named)
  const { title = posting.title, company = posting.company, location = posting.location } = named
  return { ...posting, title, company, location }
}

function readContent(content: string, url: URL, seenAt: Date, named: NamedFacts): PagePosting {
  const site = siteOf(url)
  const source = site?.source ?? 'web'
  const isText = content.trim() !== '' && !TAG.test(content)
  const pasted =
    site && isText ? readPastedPage(site, content.slice(0, MAX_PAGE_CHARACTERS), seenAt) : undefined
  const { html, jsonLd } = extractMarkup(isText ? paragraphs(content, named.title) : content)
  const data = dataPosting(jsonLd, url)
  if (data && isComplete(data) && !(site && lacksFacts(data))) return { ...data, source }

  const page = parsePage(html)
  if (typeof page === 'string') {
    if (data && isComplete(data)) return { ...data, source }
    throw unreadable(page)
  }
  const state = site?.state === undefined ? undefined : findEmbeddedState(content, site.state)
  const stated = site && state !== undefined ? stateReaders[site.source]?.(state, url) : undefined
  const reading = site ? mergeReadings(pasted, stated, readSite(site, page, seenAt)) : {}
  if (site && !data && !reading.description) {
    // Boards change their places more often than their words.
    const main = page.querySelector('main, [role="main"]') ?? page.body
    const words = readPastedPage(site, toMarkdown(main.innerHTML), seenAt)
    return { ...completed(data, mergeReadings(reading, words), page, { url, named, isText }), source }
  }
  return { ...completed(data, reading, page, { url, named, isText }), source }
}

function isComplete({ title, company, description }: DataPosting): boolean {
  return title !== '' && company !== '' && description !== ''
}

/** Boards often show more than their data says. */
function lacksFacts({ location, workplace, employmentType, salary }: DataPosting): boolean {
  return location === '' || workplace === null || employmentType === null || salary === null
}

/** Fills in from the page what its data leaves open: what its board shows, and what pages usually show. */
function completed(
  data: DataPosting | undefined,
  reading: SiteReading,
  page: Page,
  { url, named, isText }: { readonly url: URL; readonly named: NamedFacts; readonly isText: boolean },
): DataPosting {
  const head = readPostingHeadings(page)
  const labelled = readLabelledFacts(toMarkdown(page.body.innerHTML))
  const inUrl = readUrlFacts(url)
  const host = url.hostname.replace(/^www\./, '')
  const title =
    named.title ??
    (data?.title ||
      reading.title ||
      labelled.title ||
      head.title ||
      (isText ? inUrl.title || `Posting on ${host}` : ''))
  const wall = data || reading.description ? undefined : detectAccessWall(title, url)
  if (wall !== undefined) throw unreadable(wall)
  if (title === '') throw unreadable('it has no title')

  const location = data?.location || reading.location || head.location || labelled.location
  const salary = reading.salary || head.salary || labelled.salary
  return {
    title,
    company: data?.company || reading.company || head.company || labelled.company || inUrl.company || host,
    location,
    workplace: data?.workplace ?? reading.workplace ?? workplaceIn(`${title} ${location}`),
    employmentType: data?.employmentType ?? (reading.employmentType || null),
    salary: data?.salary ?? (salary === '' ? null : statedSalary(salary)),
    description: data?.description || described(reading, page),
    postedAt: data?.postedAt ?? reading.postedAt ?? null,
    validThrough: data?.validThrough ?? null,
  }
}

function described(reading: SiteReading, page: Page): string {
  const own = toMarkdown(reading.description ?? '')
  if (weight(own) >= MIN_OWN_CHARACTERS) return own
  const text = extractReadableText(page)
  if (weight(text) >= MIN_CHARACTERS) return text
  throw unreadable(`its readable text is only ${text.length} characters long`)
}

/** A Chinese character says as much as three letters. */
function weight(text: string): number {
  return text.length + 2 * (text.match(/\p{Script=Han}/gu)?.length ?? 0)
}

const TAG = /<[a-z!/]/i

/** A page may be pasted as its text alone: its first line is its title, unless that is known. */
function paragraphs(text: string, title: string | undefined): string {
  const read = text.trim().slice(0, MAX_PAGE_CHARACTERS)
  const lines = read.replaceAll(/&/g, '&amp;').replaceAll(/</g, '&lt;').split('\n')
  const hasTitle = title === undefined && !DESCRIPTION_BEGINS.test(lines[0]?.trim() ?? '')
  const [first = '', ...others] = hasTitle ? lines : ['', ...lines]
  return `<h1>${first}</h1>${others.map((line) => `<p>${line}</p>`).join('')}`
}
