import { z } from 'zod'

import { isJsonObject, type Json } from 'dragoman/events'
import type { DataPosting } from '../pages/json-ld.ts'
import { workplaceIn, type Workplace } from '../places/workplace.ts'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { BoardKind, PostingAddress } from './board.ts'

/** A posting as a board's answer holds it, its text still HTML. */
export type RawPosting = Omit<DataPosting, 'description'> & {
  readonly id: string
  readonly url: string
  readonly html: string
}

/** Where a board's answers are, and how they are read. All of it is pure. */
export type BoardFormat = {
  readonly kind: BoardKind
  readonly name: string
  readonly slugOf: (url: URL) => string | undefined
  readonly postingOf: (url: URL) => PostingAddress | undefined
  readonly slug: RegExp
  readonly listAt: (slug: string, offset: number) => URL
  /** Where one posting is told alone. Without it, it is looked for in the list. */
  readonly postingAt?: (address: PostingAddress) => URL
  /** Whether its lists tell no descriptions. */
  readonly brief?: boolean
  /** The postings in an answer, be it a list or a single one. What is no posting is left out. */
  readonly read: (answer: Json, slug: string) => readonly RawPosting[]
  /** The offset of the list's next page, if there is one. */
  readonly nextOf?: (answer: Json) => number | null
}

const MAX_LINE_LENGTH = 300

/** A field that may be absent, null, or something else altogether. */
export const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => toSingleLine(String(value ?? ''), MAX_LINE_LENGTH))
  .catch('')
export const html = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
  .catch('')
export const flag = z.boolean().nullish().catch(null)
/** A moment, as ISO: boards give ISO times, days, and milliseconds. */
export const moment = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => {
    const read = new Date(value ?? Number.NaN)
    return Number.isNaN(read.getTime()) ? null : read.toISOString()
  })
  .catch(null)
export const json = z
  .json()
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)

/** A list whose bad items are left out. */
export function listOf<S extends z.ZodType>(item: S) {
  return z
    .array(z.unknown())
    .transform((all) => all.flatMap((each) => item.safeParse(each).data ?? []) as z.infer<S>[])
    .catch([])
}

/** Something without which a posting is none. */
export const needed = z
  .union([z.string(), z.number()])
  .transform((value) => toSingleLine(String(value), MAX_LINE_LENGTH))
  .refine((value) => value !== '')
export const address = z
  .string()
  .max(2000)
  .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''))

/** The postings under a key of an answer, or the answer itself where it is a single one. */
export function under(key: string, answer: Json): readonly Json[] {
  if (Array.isArray(answer)) return answer
  const found = isJsonObject(answer) ? answer[key] : undefined
  return Array.isArray(found) ? found : [answer]
}

/** Reads what fits, and leaves out the rest. */
export function readAll<S extends z.ZodType>(
  shape: S,
  items: readonly Json[],
  read: (item: z.infer<S>) => RawPosting,
): readonly RawPosting[] {
  return items.flatMap((item) => {
    const found = shape.safeParse(item)
    return found.success ? [read(found.data)] : []
  })
}

/** Places on one line, each once. */
export function places(...names: readonly string[]): string {
  return [...new Set(names.filter(Boolean))].slice(0, 5).join('; ')
}

export function place(...parts: readonly string[]): string {
  return [...new Set(parts.filter(Boolean))].join(', ')
}

/** What a board's own word for it means: `on-site`, `OnSite`, `on_site`. */
export function workplaceOf(word: string): Workplace | null {
  return workplaceIn(word.replaceAll('_', '-').replace(/^onsite$/i, 'on-site'))
}

/** A section under its heading. */
export function section(title: string, body: string): string {
  if (body === '') return ''
  return title === '' ? body : `<h3>${title.replaceAll(/&/g, '&amp;').replaceAll(/</g, '&lt;')}</h3>${body}`
}

/** A company's name where the board tells none: `acme-robotics` → `Acme Robotics`. */
export function companyOf(slug: string): string {
  return slug
    .replace(/^eu:/, '')
    .split(/[-_\s]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/** The parts of an address's path, decoded; what cannot be decoded stays as it is. */
export function pathOf(url: URL): readonly string[] {
  return url.pathname.split('/').filter(Boolean).map(decodedPart)
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The slug that stands first in the path of one of these hosts. */
export function slugInPath(url: URL, hosts: readonly string[]): string | undefined {
  return hosts.includes(url.hostname) ? pathOf(url)[0] : undefined
}
