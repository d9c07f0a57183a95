import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Page } from '@dragoman/agent-kit/pages/page-markup'
import fieldSelectors from './heading-selectors.json' with { type: 'json' }

/** A posting in a page's head and headings. Unstated fields are ''. */
export type PostingHeadings = {
  readonly title: string
  readonly company: string
  readonly location: string
  /** In the page's own words. */
  readonly salary: string
}

const MAX_HEADING_LENGTH = 200

/** Names of boards in places of a company's name. */
const BOARDS =
  /^(linkedin|indeed(\.com)?|glassdoor|greenhouse|lever|ashby|workable|wellfound|boss直聘|拉勾(网|招聘)?|猎聘|智联招聘|前程无忧)$/i
const NO_NAME = /\b(careers?|jobs?|job board|hiring|openings)\b|招聘|求职|直聘/i

/** Reads a posting from the elements in which most pages show it. */
export function readPostingHeadings(page: Page): PostingHeadings {
  const whole = meta(page, 'og:title') || textAt(page, 'title')
  const hiring = readHiring(whole)
  const site = meta(page, 'og:site_name')
  const company =
    meta(page, 'company') ||
    firstText(page, fieldSelectors.company) ||
    hiring?.company ||
    companyInTitle(whole) ||
    (BOARDS.test(site) ? '' : withoutBoardWords(site))
  return {
    title: hiring?.title ?? titleOf(page, whole, company),
    company,
    location: firstText(page, fieldSelectors.location) || (hiring?.location ?? ''),
    salary: pay(page),
  }
}

/** `Acme is hiring a Rust Engineer in Berlin | Board`. */
function readHiring(whole: string): { company: string; title: string; location: string } | undefined {
  const [, company, sentence = ''] = /^(.+?) (?:is )?hiring (.+)/i.exec(whole) ?? []
  const [title = '', ...location] = (sentence.split('|', 1)[0] ?? '').trimEnd().split(/ (in) /i)
  if (company === undefined || title === '') return undefined
  return { company, title, location: location.slice(1).join(' ') }
}

function pay(page: Page): string {
  const text = firstText(page, fieldSelectors.salary)
  return /\d|面议/.test(text) ? text.slice(0, 80) : ''
}

/** A heading that the page's title repeats is the posting's. */
function titleOf(page: Page, whole: string, company: string): string {
  const tops = [...page.querySelectorAll('h1')].map((top) => heading(top.textContent)).filter(Boolean)
  return tops.find((top) => whole.includes(top)) ?? (withoutSite(whole, company) || (tops[0] ?? ''))
}

/** Removes the site's and the company's name at both ends only: `Engineer - Backend` stays whole. */
function withoutSite(title: string, company: string): string {
  const parts = title.split(/((?<!\s)\s+[-–—|·_]\s+|(?:(?<!\s)\s+)?\|\s*|_)/)
  const isSite = (part: string | undefined): boolean =>
    part !== undefined &&
    (part.trim() === '' || part.trim() === company || BOARDS.test(part.trim()) || NO_NAME.test(part))
  while (parts.length > 2 && isSite(parts.at(-1))) parts.splice(-2)
  while (parts.length > 2 && parts[0]?.trim() === company) parts.splice(0, 2)
  return parts.join('').trim()
}

/** The company in `前端工程师 - 云帆科技招聘` or `Engineer at Acme | Careers`. */
function companyInTitle(title: string): string {
  const chinese = /[-–—|_]\s*([^-–—|_]{2,30}?)招聘\s*(?:[-–—|_]|$)/.exec(title)?.[1]
  const english = /\s(?:at|@)\s+(?!\s)([^|–—]{2,60}?)\s*(?:[|–—]|\s-\s|$)/.exec(title)?.[1]
  return (chinese ?? english ?? '').trim()
}

function withoutBoardWords(site: string): string {
  return site
    .replace(/(?:(?<!\s)\s+)?\b(careers?|jobs|job board)\b\s*$/i, '')
    .replace(/招聘$/, '')
    .trim()
}

function meta(page: Page, name: string): string {
  const found = page.querySelector(`meta[property="${name}"], meta[name="${name}"]`)
  return heading(found?.getAttribute('content') ?? '')
}

function textAt(page: Page, selector: string): string {
  return heading(page.querySelector(selector)?.textContent ?? '')
}

function firstText(page: Page, selectors: readonly string[]): string {
  for (const selector of selectors) {
    const text = textAt(page, selector)
    if (text !== '') return text
  }
  return ''
}

/** A heading is one line; a longer text is none. */
function heading(text: string): string {
  const line = toSingleLine(text.slice(0, MAX_HEADING_LENGTH * 5))
  return line.length > MAX_HEADING_LENGTH ? '' : line
}
