import { isJsonObject, type Json } from 'dragoman/events'
import { valueAt } from '../json-fields.ts'
import type { DataPosting } from '../pages/json-ld.ts'
import { salaryOf, type Salary } from '../salary/salary.ts'

/** The public boards that can be read without a key. */
export const boardKinds = [
  'greenhouse',
  'lever',
  'ashby',
  'workable',
  'smartrecruiters',
  'recruitee',
] as const
export type BoardKind = (typeof boardKinds)[number]

/** A company's board, and a posting on it. `slug` is the board's name for the company. */
export type PostingAddress = { readonly slug: string; readonly id: string }

/** What a URL means to a kind of board; empty for other sites. */
export type BoardLocation = { readonly [field in keyof PostingAddress]?: string | undefined }

/** A posting in a board's answer, its description still HTML. */
export type RawPosting = Omit<DataPosting, 'description'> & {
  /** The board's own id. */
  readonly id: string
  readonly url: string
  readonly html: string
}

/** The fields that a board states. The others are null. */
export type RawFields = Omit<RawPosting, 'employmentType' | 'salary' | 'validThrough'> &
  Partial<Pick<RawPosting, 'employmentType' | 'salary'>>

/** Where a kind of board has its answers, and how they are read. All of it is pure. */
export type BoardFormat = {
  readonly kind: BoardKind
  /** As people call it. */
  readonly name: string
  readonly slugPattern: RegExp
  readonly locate: (url: URL) => BoardLocation
  readonly listUrl: (slug: string, offset: number) => string
  /** The address of a single posting. Without it, the posting is looked up in the list. */
  readonly postingUrl?: (address: PostingAddress) => string
  /** Whether its lists have no descriptions. */
  readonly isBrief?: boolean
  /** The field of a list that holds the postings. Without it, the list itself does. */
  readonly listField?: string
  /** Reads one posting; undefined if it is not open to everybody. */
  readonly read: (job: Json, slug: string, answer: Json) => RawFields | undefined
  /** The offset of the list's next page, if there is one. */
  readonly nextOffset?: (answer: Json) => number | null
}

const MAX_URL_LENGTH = 2000

/** The postings in an answer, which is a list or a single posting. Anything else in it is left out. */
export function readAnswer(format: BoardFormat, answer: Json, slug: string): readonly RawPosting[] {
  return jobsIn(answer, format.listField).flatMap((job) => {
    const fields = isJsonObject(job) ? format.read(job, slug, answer) : undefined
    if (!fields || fields.id === '' || fields.title === '' || !isWebAddress(fields.url)) return []
    return [{ employmentType: null, salary: null, validThrough: null, ...fields }]
  })
}

function jobsIn(answer: Json, field = ''): readonly Json[] {
  if (Array.isArray(answer)) return answer
  const list = isJsonObject(answer) ? answer[field] : undefined
  return Array.isArray(list) ? list : [answer]
}

function isWebAddress(url: string): boolean {
  return url.length <= MAX_URL_LENGTH && /^https?:$/.test(URL.parse(url)?.protocol ?? '')
}

/** Pay from the fields `currency`, `min` and `max` of a range; null without a sum. */
export function payRange(range: Json | undefined, period: string): Salary | null {
  return salaryOf({
    currency: valueAt(range, 'currency') ?? null,
    value: {
      minValue: valueAt(range, 'min') ?? null,
      maxValue: valueAt(range, 'max') ?? null,
      unitText: period,
    },
  })
}

/** A company's name from its slug: `acme-robotics` → `Acme Robotics`. */
export function companyName(slug: string): string {
  return slug
    .replace(/^eu:/, '')
    .split(/[-_\s]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/** Plain text as HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** A section under its heading, as HTML. */
export function htmlSection(title: string, body: string): string {
  return body === '' || title === '' ? body : `<h3>${escapeHtml(title)}</h3>${body}`
}
