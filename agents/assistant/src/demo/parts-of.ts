import { chineseDeed, deedOf } from './page-words.ts'

const SEPARATOR =
  /(?:\s*[,;.]\s*|\s+)(?:and then|then|and also|and)\s+(?:please\s+)?|\s*[，；。？]\s*(?:然后|并且|再|并|接着)?\s*|\s*(?:然后|并且|接着)\s*|\n+/gi
const QUOTED = /`[^`]*`|"[^"]*"|“[^”]*”|「[^」]*」/g
const FURTHER =
  /^(?:calculate|compute|how much|tell|fetch|ask|who|when|where)\b|^(?:计算|算|现在|今天|让|问)|几点|等于|多少/i

/** Nobody wants more at once, and each is looked at by itself. */
const MOST_PARTS = 20
const LONGEST_CLAUSE = 200

/** The wishes of a request: each begins with a word for a deed, or asks something. What stands in quotes is no wish. */
export function partsOf(request: string): string[] {
  const masked = request.replaceAll(QUOTED, (words) => '\u0000'.repeat(words.length))
  const parts: string[] = []
  let from = 0
  for (const { index, 0: words } of masked.matchAll(SEPARATOR)) {
    const [clause = ''] = masked
      .slice(index + words.length, index + words.length + LONGEST_CLAUSE)
      .split(/[，；。\n]/)
    if (parts.length === MOST_PARTS || !begins(clause)) continue
    parts.push(request.slice(from, index))
    from = index + words.length
  }
  parts.push(request.slice(from))
  return parts.filter((part) => part.trim() !== '')
}

function begins(clause: string): boolean {
  const [word = ''] = /^[a-z]+/i.exec(clause) ?? []
  return deedOf(word.toLowerCase()) !== undefined || chineseDeed(clause) !== undefined || FURTHER.test(clause)
}
