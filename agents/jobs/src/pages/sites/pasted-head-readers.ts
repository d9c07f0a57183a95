import { isPay } from './parse-posting-facts.ts'
import { linePattern } from './line-pattern.ts'
import phrases from './phrases.json' with { type: 'json' }
import type { SiteReading } from './site.ts'

/** What boards write above a description, read from the lines of a page that was pasted as text alone. */

/** Menus, buttons and counts between the facts. */
const FURNITURE = linePattern(phrases.furniture)
const MAX_LINE_LENGTH = 200

/** The lines that say something, each in few words. */
function telling(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.length <= MAX_LINE_LENGTH && !FURNITURE.test(line))
}

const JOIN_TO_APPLY = 'Join to apply for the '
const ROLE_AT = ' role at '

/** `Join to apply for the <title> role at <company>`. The title may itself have those words. */
function joinSentence(lines: readonly string[]): { readonly title: string; readonly company: string } {
  for (const line of lines) {
    const end = line.startsWith(JOIN_TO_APPLY) ? line.lastIndexOf(ROLE_AT) : -1
    if (end < 0) continue
    const title = line.slice(JOIN_TO_APPLY.length, end)
    const company = line.slice(end + ROLE_AT.length)
    if (title !== '' && title.length <= 200 && company !== '' && company.length <= 100)
      return { title, company }
  }
  return { title: '', company: '' }
}

/**
 * `San Francisco, CA · 2 weeks ago · Over 100 applicants`, or a guest's page, which repeats title and company in a
 * sentence.
 */
export function linkedinHead(lines: readonly string[]): SiteReading {
  const facts = telling(lines)
  const { title, company } = joinSentence(lines)
  if (title !== '') {
    const below = facts.slice(facts.indexOf(title) + 1)
    const first = below.find((line) => line !== title && !line.startsWith(JOIN_TO_APPLY.trim())) ?? ''
    const place = first === company ? (below[below.indexOf(first) + 1] ?? '') : first.replace(company, '')
    return { title, company, location: place.trim() }
  }
  const at = facts.findIndex((line) =>
    /^[^·]*·.*(?:\b(?:ago|applicants?|clicked apply)\b|前|申请)/.test(line),
  )
  if (at < 1) return {}
  return { title: facts[at - 1], company: facts[at - 2], location: facts[at]?.split('·')[0]?.trim() }
}

/** The title, the company, the place: each on a line of its own. */
export function titleCompanyPlace(lines: readonly string[]): SiteReading {
  const [title, company, location] = split(telling(lines))
  return { title, company, location: isPay(location ?? '') ? undefined : location }
}

/** Indeed marks its titles beside a list: `Software Engineer - job post`. */
function split(lines: readonly string[]): readonly string[] {
  const marked = lines.findIndex((line) => /-\s*job post$/i.test(line))
  if (marked < 0) return lines
  const title = lines[marked]?.replace(/(?:(?<!\s)\s+)?-\s*job post$/i, '') ?? ''
  return title === ''
    ? [lines[marked - 1] ?? '', ...lines.slice(marked + 1)]
    : [title, ...lines.slice(marked + 1)]
}

/** Glassdoor and Wellfound name the company first. */
export function companyTitlePlace(lines: readonly string[]): SiteReading {
  const [company, title, ...others] = telling(lines)
  return {
    title,
    company,
    location: others
      .find((line) => !isPay(line))
      ?.split('•')[0]
      ?.trim(),
  }
}

/** The title, then what a slash or a label tells apart; whose board it is stands in the address. */
export function titlePlace(lines: readonly string[]): SiteReading {
  const facts = telling(lines)
  const label = facts.findIndex((line) => /^locations?$/i.test(line))
  const location = facts[label >= 0 ? label + 1 : 1] ?? ''
  return { title: facts[0], location: location.replace(/(?:(?<!\s)\s+)?\/$/, '') }
}

const CHINESE_PAY = new RegExp(
  [
    String.raw`\d[\d.]{0,12}\s{0,9}(?:[kK千万]\s{0,9})?[-~至]\s{0,9}\d[\d.]{0,12}\s{0,9}[kK千万元]`,
    String.raw`(?:\/[年月天日时])?(?:\s{0,9}[·*x×]\s{0,9}\d+薪)?|面议`,
  ].join(''),
)

/** Chinese boards: the title, its pay beside or below it, then the place; the company where it is labelled. */
export function chineseHead(lines: readonly string[]): SiteReading {
  const facts = telling(lines)
  const at = facts.findIndex((line) => CHINESE_PAY.test(line))
  if (at < 0) return {}
  const line = facts[at] ?? ''
  const pay = CHINESE_PAY.exec(line)?.[0] ?? ''
  const label = line.slice(0, line.indexOf(pay)).trim()
  const below = line.slice(line.indexOf(pay) + pay.length).trim() || (facts[at + 1] ?? '')
  return {
    title: label || facts[at - 1],
    company: facts
      .map((each) => /^(?:公司名称|公司全称|企业名称)[:：\s]*(.{2,60})$/.exec(each)?.[1])
      .find(Boolean),
    location: below.replace(/^\/\s*/, '').split(/[\s|]/)[0],
    salary: pay,
  }
}
