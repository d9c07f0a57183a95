import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { PagePosting } from '../pages/posting-page.ts'
import { workplaceIn } from '../places/workplace.ts'
import { statedSalary } from '../salary/read-salary.ts'
import alertWords from './alert-words.json' with { type: 'json' }
import type { MailLine } from './mail-lines.ts'
import { postingLink } from './links.ts'

/** A posting that a mail names. Unstated fields are '' or null. */
export type MailPosting = PagePosting & { readonly url: string }

const MAX_POSTINGS = 100
/** The lines after a title that may hold its company and place. */
const MAX_DETAILS = 8
const MAX_TITLE_LENGTH = 200

const [BUTTON, FOOTER, ASIDE, COMPANY] = (['buttons', 'footers', 'asides', 'companies'] as const).map(
  (name) => new RegExp(alertWords[name].join('|'), 'i'),
) as [RegExp, RegExp, RegExp, RegExp]
const PAY = new RegExp(
  [
    String.raw`[$€£¥￥]\s*\d|\d\s{0,9}(?:[kK千万]\s{0,9})?[-–~—]\s{0,9}\d[\d.]{0,12}\s{0,9}[kK千万元]`,
    String.raw`\d\s{0,9}元\/|面议|\b(?:a|per) (?:year|month|hour|day)\b`,
  ].join('|'),
)
/** `高级前端工程师 20-35K·14薪` */
const PAY_AFTER_TITLE = new RegExp(
  String.raw`[[【(（]?\s{0,5}(?:[$€£¥￥]\s{0,5})?\d[\d.,]{0,15}\s{0,5}(?:[kK千万]\s{0,5})?[-–~—]` +
    String.raw`\s{0,5}[$€£¥￥]?\d[\d.,]{0,15}\s{0,5}[kK千万元]?(\s{0,5}[·/]\s{0,5}\S{1,40})?\s{0,5}[\]】)）]?$`,
)

/** The postings that a mail's lines name, in their order, each once. */
export function parseAlertPostings(lines: readonly MailLine[]): readonly MailPosting[] {
  const found = new Map<string, { readonly url: URL; readonly texts: string[] }>()
  let current: { readonly url: URL; readonly texts: string[] } | undefined
  for (const { text, href } of lines) {
    const url = href === null ? undefined : postingLink(href)
    if (url) {
      if (!found.has(url.href) && found.size >= MAX_POSTINGS) break
      current = found.get(url.href) ?? { url, texts: [] }
      found.set(url.href, current)
    } else if (FOOTER.test(text)) {
      current = undefined
    }
    if (current && current.texts.length <= MAX_DETAILS && !BUTTON.test(text)) current.texts.push(text)
  }
  return [...found.values()].flatMap(({ url, texts }) => toPosting(url, texts) ?? [])
}

/** A link without text, such as a picture, names no posting. */
function toPosting(url: URL, [first, ...others]: readonly string[]): MailPosting | undefined {
  if (first === undefined) return undefined
  const payInTitle = PAY.test(first) ? (PAY_AFTER_TITLE.exec(first)?.[0] ?? '') : ''
  const title = toSingleLine(first.replace(payInTitle, ''), MAX_TITLE_LENGTH)
  if (title === '') return undefined

  const parts = others
    .flatMap((line) => line.split(/(?<!\s)\s+[·•|–—-]\s+|(?:(?<!\s)\s+)?[|｜]\s*/))
    .map(withoutBrackets)
  const pay = withoutBrackets(payInTitle.trim()) || parts.find((part) => PAY.test(part)) || ''
  const details = parts.filter(
    (part) => part !== '' && part !== title && !PAY.test(part) && !ASIDE.test(part),
  )
  const company = details.find((part) => COMPANY.test(part)) ?? details[0] ?? ''
  return {
    url: url.href,
    title,
    company: company || url.hostname.replace(/^www\./, ''),
    location: details.find((part) => part !== company) ?? '',
    workplace: workplaceIn(`${title} ${parts.join(' ')}`),
    employmentType: null,
    salary: pay === '' ? null : statedSalary(pay),
    description: '',
    postedAt: null,
    validThrough: null,
    source: 'email',
  }
}

/** Chinese sites put places in brackets. */
function withoutBrackets(part: string): string {
  return part
    .replace(/^[[【(（]\s*|(?:(?<!\s)\s+)?[\]】)）]$/g, (mark, at: number) =>
      at === 0 || !part.includes('(') ? '' : mark,
    )
    .trim()
}
