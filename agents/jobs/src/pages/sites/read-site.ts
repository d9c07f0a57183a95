import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Page, PageElement } from '@dragoman/agent-kit/pages/page-markup'
import { parsePostingFacts, plainDigits } from './parse-posting-facts.ts'
import { linePattern } from './line-pattern.ts'
import type { Site, SiteReading } from './site.ts'

/** A heading is one line; what is longer is none. */
const MAX_HEADING_LENGTH = 200
/** So many of what one selector finds. */
const MAX_RESULTS = 30

/**
 * Reads a posting from where its board shows it, and takes out of the page what stands in the midst of its
 * description.
 */
export function readSite(site: Site, page: Page, seenAt: Date): SiteReading {
  const { title, company, location } = site
  const texts = site.facts.flatMap((selector) => textsAt(page, selector).flatMap(apart))
  return {
    ...parsePostingFacts(texts.map(plainDigits), seenAt),
    title: first(page, title).replace(/(?:(?<!\s)\s+)?-\s*job post$/i, ''),
    company: companyName(first(page, company)),
    location: placeName(first(page, location)),
    description: description(site, page),
  }
}

function first(page: Page, selectors: Site['title']): string {
  for (const selector of selectors) {
    const text = textsAt(page, selector).find(Boolean)
    if (text !== undefined) return text
  }
  return ''
}

function textsAt(page: Page, place: string): readonly string[] {
  const [selector = '', attribute] = place.split('@')
  return [...page.querySelectorAll(selector)].slice(0, MAX_RESULTS).map((element) => {
    const text = attribute === undefined ? element.textContent : element.getAttribute(attribute)
    const line = toSingleLine((text ?? '').slice(0, MAX_HEADING_LENGTH * 5))
    return line.length > MAX_HEADING_LENGTH ? '' : line
  })
}

/** `Full-time · Remote` are two facts, `30-50K·14薪` is one. */
function apart(text: string): readonly string[] {
  return text.split(/(?<!\s)\s+[·•|]\s+|(?:(?<!\s)\s+)?\|\s*|^\s*-\s+/)
}

function companyName(text: string): string {
  return (
    text
      .replace(/^at (?=\S)/, '')
      .replace(/^公司名称[:：\s]*/, '')
      .replace(/(?<!\s)\s+(?:logo|\d\.\d ?★?)$/i, '')
      .split(/(?:(?<!\s)\s+)?·\s*/)[0]
      ?.trim() ?? ''
  )
}

/** What follows the place is its age, and how many have applied. */
function placeName(text: string): string {
  return (text.split(/(?<!\s)\s+[·•]\s+|(?:(?<!\s)\s+)?\|\s*/)[0] ?? '')
    .replace(/^上班地址[:：\s]*/, '')
    .replace(/(?:(?<!\s)\s+)?(?:\/|查看(?:完整)?地图)$/, '')
    .trim()
}

function description(site: Site, page: Page): string {
  for (const selector of site.description) {
    const parts = [...page.querySelectorAll(selector)].slice(0, MAX_RESULTS)
    if (parts.length > 0) return parts.map((part) => without(site, part).innerHTML).join('\n')
  }
  return ''
}

function without({ furniture, watermark }: Site, part: PageElement): PageElement {
  if (furniture !== undefined) for (const each of part.querySelectorAll(furniture)) each.remove()
  if (watermark !== undefined) {
    const words = linePattern(watermark)
    for (const each of part.querySelectorAll('span, h2, h3, button, i, em')) {
      if (words.test(each.textContent.slice(0, 50).trim())) each.remove()
    }
  }
  return part
}
