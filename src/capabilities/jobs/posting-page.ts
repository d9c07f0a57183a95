import { dataPosting, type DataPosting } from './json-ld.ts'
import { markupOf, MOST_CHARACTERS, openPage, type Page } from './page-markup.ts'
import { headings, readableText } from './readable-page.ts'
import { statedSalary } from './salary.ts'
import type { Source } from './tables.ts'
import { unreadable } from './unreadable.ts'
import { workplaceIn } from './workplace.ts'

/** A posting as a page shows it. What the page does not say is '' or null. */
export type PagePosting = DataPosting & { readonly source: Source }

/** Less text than this is a notice or a door, not a posting. */
const LEAST_CHARACTERS = 160

/** Reads the posting on a page: its JSON-LD, and where that is silent its text. @throws ServiceError `invalid-request`, with the reason */
export function readPostingPage(content: string, url: URL): PagePosting {
  const { html, jsonLd } = markupOf(TAG.test(content) ? content : paragraphs(content))
  const data = dataPosting(jsonLd, url)
  const complete = data && data.title !== '' && data.company !== '' && data.description !== ''
  return { ...(complete ? data : completed(data, openPage(html), url)), source: sourceOf(url) }
}

/** Fills in from the page what its data leaves open. */
function completed(data: DataPosting | undefined, page: Page | string, url: URL): DataPosting {
  if (typeof page === 'string') throw unreadable(page)
  const seen = headings(page)
  const title = data?.title || seen.title
  if (title === '') throw unreadable('it has no title')

  const location = data?.location || seen.location
  return {
    title,
    company: data?.company || seen.company || url.hostname.replace(/^www\./, ''),
    location,
    workplace: data?.workplace ?? workplaceIn(`${title} ${location}`),
    employmentType: data?.employmentType ?? null,
    salary: data?.salary ?? (seen.salary === '' ? null : statedSalary(seen.salary)),
    description: data?.description || described(page),
    postedAt: data?.postedAt ?? null,
    validThrough: data?.validThrough ?? null,
  }
}

function described(page: Page): string {
  const text = readableText(page)
  if (text.length >= LEAST_CHARACTERS) return text
  throw unreadable(`its readable text is only ${text.length} characters long`)
}

const TAG = /<[a-z!/]/i

/** A page may be pasted as its text alone: its first line is its title. */
function paragraphs(text: string): string {
  const read = text.trim().slice(0, MOST_CHARACTERS)
  const [first = '', ...others] = read.replaceAll(/&/g, '&amp;').replaceAll(/</g, '&lt;').split('\n')
  return `<h1>${first}</h1>${others.map((line) => `<p>${line}</p>`).join('')}`
}

function sourceOf(url: URL): Source {
  const labels = url.hostname.split('.')
  return (['linkedin', 'indeed'] as const).find((board) => labels.includes(board)) ?? 'web'
}
