import type { DemoLanguage } from 'dragoman/agents'

/** What a tool's text tells of postings. */
export type Postings = {
  /** How many there are, named or not. */
  readonly count: number
  /** Whether they match only a part of what was asked for. */
  readonly partial: boolean
  /** Those that it names, one a line. */
  readonly items: readonly string[]
}

const item = /^\s*(?:\d+[.)、]|[-*•])\s*(?=\S)/

/** Reads "找到 12 个匹配的职位\n1. …\n2. …". Undefined where the text neither counts nor names any. */
export function readPostings(text: string): Postings | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const items = lines.filter((line) => item.test(line)).map((line) => line.replace(item, '').trim())
  const first = lines[0] ?? ''
  const summary = item.test(first) ? '' : first.trim()
  const count = countIn(summary) ?? (items.length > 0 ? items.length : undefined)
  if (count === undefined) return undefined
  return { count, partial: /部分匹配|\bmatch(?:es)? a part\b|\bpartial/i.test(summary), items }
}

/** "Found 12", "20 of 57", "共 57 个", "57 jobs, 20 shown": what was asked for is often quoted before it, and may hold numbers. */
function countIn(summary: string): number | undefined {
  const words = summary.replaceAll(/"[^"]*"|“[^”]*”/g, '')
  const told = /(?:\bfound|\bof|找到|共)\s*(\d[\d,]*)/i.exec(words)?.[1]
  if (told !== undefined) return Number(told.replaceAll(',', ''))
  if (/^(?:found )?(?:no|none|nothing)\b|^(?:没有|未找到|没找到)/i.test(words)) return 0
  const first = /(?<![a-z\d.+#])\d[\d,]*(?![\d.]*[a-z+])/i.exec(words)?.[0]
  return first === undefined ? undefined : Number(first.replaceAll(',', ''))
}

/** So many are read out; the rest are counted. */
const TOLD = 5

/** The first postings, numbered, and how many more there are. */
export function readOut({ items, count }: Postings, language: DemoLanguage): string {
  const told = items.slice(0, TOLD).map((line, index) => `${index + 1}. ${line}`)
  const more = Math.max(count, items.length) - told.length
  if (more > 0 && told.length > 0)
    told.push(language === 'zh' ? `……另外还有 ${more} 个。` : `… and ${more} more.`)
  return told.join('\n')
}
