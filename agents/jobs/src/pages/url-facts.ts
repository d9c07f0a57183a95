import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { companyName } from '../boards/board-format.ts'
import { boardFormats } from '../boards/board-formats.ts'
import { pathParts } from '../url-path.ts'
import { siteOf } from './sites/sites.ts'

/** The words of an address may be many. */
const MAX_LENGTH = 200

/** What the address of a posting says of it. What it does not say is ''. */
export type UrlFacts = { readonly title: string; readonly company: string }

/** Reads an address, for clients that send the description alone: `/jobs/senior-rust-engineer-123`. */
export function readUrlFacts(url: URL): UrlFacts {
  const parts = pathParts(url).toReversed()
  const own = parts.map((part) => glassdoorFacts(part) ?? linkedinFacts(part, url)).find(Boolean)
  const title = own?.title ?? parts.map(wordsOf).find((words) => words.includes(' ')) ?? ''
  return {
    title: toSingleLine(title, MAX_LENGTH),
    company: toSingleLine(own?.company ?? companyIn(url), MAX_LENGTH),
  }
}

/** `go-engineer-northwind-JV_IC3235921_KO0,11_KE12,21.htm`: where the title and the employer stand in the words. */
function glassdoorFacts(part: string): UrlFacts | undefined {
  const [words = '', codes = ''] = part.split('-JV_')
  const [, from, to, first, last] = /KO(\d+),(\d+)_KE(\d+),(\d+)/.exec(codes) ?? []
  if (from === undefined) return undefined
  return {
    title: wordsOf(words.slice(Number(from), Number(to))),
    company: companyName(words.slice(Number(first), Number(last))),
  }
}

/** `go-engineer-at-northwind-4012345678` */
function linkedinFacts(part: string, url: URL): UrlFacts | undefined {
  const at = part.lastIndexOf('-at-')
  if (at <= 0 || siteOf(url)?.source !== 'linkedin') return undefined
  return { title: wordsOf(part.slice(0, at)), company: companyName(wordsOf(part.slice(at + '-at-'.length))) }
}

/** The company of a board, or after `/company/`. */
function companyIn(url: URL): string {
  const parts = pathParts(url)
  const after = parts.indexOf('company') + 1
  const slugs = Object.values(boardFormats).map(({ locate }) => locate(url).slug)
  const slug = slugs.find(Boolean) ?? (after > 0 ? parts[after] : undefined)
  return slug === undefined ? '' : companyName(slug)
}

/** Without numbers. */
function wordsOf(part: string): string {
  return part
    .replaceAll(/[-_]+/g, ' ')
    .replaceAll(/\b[\da-f]+\b/gi, (word) => (/\d/.test(word) ? '' : word))
    .trim()
}
