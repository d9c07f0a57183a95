/** The summary that begins a tool's answer, and the postings that it names, one a line. */
export type Postings = {
  readonly count: number | undefined
  readonly summary: string
  readonly items: readonly string[]
}

const item = /^\s*(?:\d+[.)、]|[-*•])\s*(?=\S)/

/** Reads "找到 12 个匹配的职位\n1. …\n2. …". Lines below a posting that are set in belong to it, and are left to the card. */
export function readPostings(text: string): Postings {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const items = lines.filter((line) => item.test(line)).map((line) => line.replace(item, '').trim())
  const first = lines[0] ?? ''
  const summary = item.test(first) ? '' : first.trim()
  return { count: countIn(summary) ?? (items.length > 0 ? items.length : undefined), summary, items }
}

function countIn(summary: string): number | undefined {
  const digits = /(?<![\p{L}\d.])\d[\d,]*(?![\d.]*[\p{L}&&[a-z]])/v.exec(summary)?.[0]
  if (digits !== undefined) return Number(digits.replaceAll(',', ''))
  return /^(?:no\b|none\b|nothing\b|没有|未找到|没找到)/i.test(summary) ? 0 : undefined
}

/** So many are read out; the rest are counted. */
const TOLD = 5

/** The first postings, numbered, and how many more there are. */
export function readOut({ items, count }: Postings, language: 'en' | 'zh'): string {
  const told = items.slice(0, TOLD).map((line, index) => `${index + 1}. ${line}`)
  const more = Math.max(count ?? 0, items.length) - told.length
  if (more > 0 && told.length > 0)
    told.push({ en: `… and ${more} more.`, zh: `……另外还有 ${more} 个。` }[language])
  return told.join('\n')
}
