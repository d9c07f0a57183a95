import { parsePostingFacts, plainDigits } from './parse-posting-facts.ts'
import { linePattern } from './line-pattern.ts'
import phrases from './phrases.json' with { type: 'json' }
import { mergeReadings, type Site, type SiteReading } from './site.ts'
import { readHead } from './sites.ts'

/** The heading of a description. */
export const DESCRIPTION_BEGINS = linePattern(phrases.descriptionBegins)
/** What follows a description: other postings, the company, warnings, forms. */
const DESCRIPTION_ENDS = linePattern(phrases.descriptionEnds)

/** A description may begin with such a word, but it does not end before it has begun. */
const MIN_BODY_CHARACTERS = 40
/** Longer lines are prose, of which the beginning is enough here. */
const MAX_LINE_LENGTH = 2000
/** Of the lines of a page, so many are looked at before its posting begins. */
const MAX_HEAD_CHARACTERS = 200

/** Reads a board's page as text alone, or as Markdown; undefined where it does not look like one. */
export function readPastedPage(site: Site, text: string, seenAt: Date): SiteReading | undefined {
  const allLines = plainDigits(text).split('\n')
  const lines = allLines.map(bare)
  const begins = beginning(site, lines)
  // A description alone has no head.
  if (begins < 1) return undefined
  const after = lines.slice(begins + 1)
  const end = after.findIndex(
    (line, at) => DESCRIPTION_ENDS.test(line) && after.slice(0, at).join('').length >= MIN_BODY_CHARACTERS,
  )
  const body = allLines.slice(begins + 1, end < 0 ? undefined : begins + 1 + end)
  const head = lines.slice(0, begins + 1).filter(Boolean)
  const reading = readHead(site, head)
  if (!reading.title) return undefined
  const facts = parsePostingFacts(
    head.flatMap((line) => line.split(/(?<!\s)\s+(?:[·•|]\s+|-\s+(?=\p{L}))|(?:(?<!\s)\s+)?\/$/u)),
    seenAt,
  )
  const company = reading.company || labelled(lines)
  return mergeReadings({ company, description: body.join('\n').trim() }, reading, facts)
}

/** A line without what Markdown writes round its words. */
function bare(line: string): string {
  return (
    line
      .slice(0, MAX_LINE_LENGTH)
      // Of at most 2,000 characters.
      .replace(/\[([^\]]{0,500})\]\([^()\s]*\)/g, '$1')
      .replace(/^[\s#>*_]+|(?<![\s*_])[\s*_]+$/g, '')
      .replaceAll(/\\(?=[-.()[\]*_#+])/g, '')
  )
}

function beginning({ begins }: Site, lines: readonly string[]): number {
  const head = lines.slice(0, MAX_HEAD_CHARACTERS)
  const usual = head.findIndex((line) => DESCRIPTION_BEGINS.test(line))
  if (usual >= 0 || begins === undefined) return usual
  const own = linePattern(begins)
  return head.findIndex((line) => own.test(line))
}

/** Chinese boards name the company below the description. */
function labelled(lines: readonly string[]): string {
  const at = lines.findIndex((line) => COMPANY_LABEL.test(line))
  if (at < 0) return ''
  return lines[at]?.replace(COMPANY_LABEL, '') || (lines.slice(at + 1).find(Boolean) ?? '')
}

const COMPANY_LABEL = /^(?:公司名称|公司基本信息|公司信息|企业名称)[:：\s]*/
