import { ServiceError } from '../../errors.ts'
import { dataPosting, type DataPosting } from './json-ld.ts'
import { openPage, type Page } from './page-markup.ts'
import { headings, readText } from './readable-page.ts'
import { statedSalary } from './salary.ts'
import type { Source, Workplace } from './tables.ts'

/** A posting as a page shows it. What the page does not say is '' or null. */
export type PagePosting = DataPosting & { readonly source: Source }

/** Reads the posting on a page: its JSON-LD, and where that is silent its text. @throws ServiceError `invalid-request`, with the reason */
export function readPostingPage(content: string, url: URL): PagePosting {
  const page = openPage(/<[a-z!/]/i.test(content) ? content : paragraphs(content))
  const data = dataPosting(page, url)
  const seen = data?.title && data.company ? undefined : headings(page)
  const title = data?.title || seen?.title || firstLine(content)
  if (title === '') throw unreadable('it has no title')

  const location = data?.location || seen?.location || ''
  return {
    title,
    company: data?.company || seen?.company || url.hostname.replace(/^www\./, ''),
    location,
    workplace: data?.workplace ?? workplaceIn(`${title} ${location}`),
    employmentType: data?.employmentType ?? null,
    salary: data?.salary ?? (seen?.salary ? statedSalary(seen.salary) : null),
    description: data?.description || textOf(page),
    postedAt: data?.postedAt ?? null,
    validThrough: data?.validThrough ?? null,
    source: sourceOf(url),
  }
}

function textOf(page: Page): string {
  const reading = readText(page)
  if (reading.kind === 'none') throw unreadable(reading.reason)
  return reading.text
}

function unreadable(reason: string): ServiceError {
  return new ServiceError('invalid-request', `No job posting could be read from this page: ${reason}.`)
}

/** A page may be pasted as its text alone. */
function paragraphs(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped.replace(/[^\n]+/g, (line) => `<p>${line}</p>`)
}

function firstLine(content: string): string {
  if (/<[a-z!/]/i.test(content)) return ''
  return (/\S[^\n]*/.exec(content)?.[0] ?? '').trim().slice(0, 200)
}

/** Where the work is done, if a title or a place says so. */
export function workplaceIn(text: string): Workplace | null {
  if (/\bhybrid\b|混合办公|混合/i.test(text)) return 'hybrid'
  if (/\b(fully[- ])?remote\b|远程|居家办公/i.test(text)) return 'remote'
  return /\bon-?site\b|现场办公|坐班/i.test(text) ? 'onsite' : null
}

function sourceOf(url: URL): Source {
  const labels = url.hostname.split('.')
  return (['linkedin', 'indeed'] as const).find((board) => labels.includes(board)) ?? 'web'
}
