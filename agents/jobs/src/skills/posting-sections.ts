import { anyOf } from '../words/word-pattern.ts'
import phrases from './posting-phrases.json' with { type: 'json' }

/** What a part of a posting is about. */
export type Section = keyof typeof phrases.sections

/** A sentence of a posting, as it stands there, and under which heading. */
export type Sentence = { readonly text: string; readonly section: Section | undefined }

const HEADINGS = (Object.entries(phrases.sections) as [Section, readonly string[]][]).map(
  ([section, names]) => [section, new RegExp(`^${anyOf(names)}`, 'iu')] as const,
)

/** Headings that stand in the middle of a text that has lost its lines. */
const INLINE = new RegExp(
  String.raw`(?<=[^\n])(?=(?:【|\[)?${anyOf(phrases.inlineHeadings)}(?:】|\])?\s?[:：])`,
  'gu',
)
const MARKS = /^[\s#*_>•·\-–—=【[(（]*(?:[一二三四五六七八九十\d]{1,2}\s*[、.)）]\s*)?[\s*_【[]*/u
/** A dot ends a sentence where a space follows, and not in `e.g. this`. */
const SENTENCE_END = new RegExp(
  [
    String.raw`(?<=[。；;！!？?])`,
    String.raw`(?<=\.)(?<!\b(?:e\.g|i\.e|etc|vs|approx|incl|[A-Z])\.)\s+(?=\p{Lu}|\p{Script=Han}|\d)`,
    String.raw`(?<=[^\d\s])\s+(?=\d{1,2}[、.)）]\s*\D)`,
  ].join('|'),
  'gu',
)
const MAX_HEADING_LENGTH = 80

/** Ten times what a long posting has. */
const MAX_SENTENCES = 1000

/** Cuts a posting into its sentences, each with what the last heading before it says: the first thousand. */
export function sentencesOf(description: string): readonly Sentence[] {
  const found: Sentence[] = []
  let section: Section | undefined
  for (const line of description.replace(INLINE, '\n').split('\n')) {
    const heading = headingOf(line)
    if (heading) section = heading.section
    const rest = heading ? line.slice(heading.length) : line
    for (const text of rest.split(SENTENCE_END)) {
      if (text.trim() !== '') found.push({ text: text.trim(), section })
    }
  }
  return found.slice(0, MAX_SENTENCES)
}

/** The heading with which a line begins; a line of prose has none. */
function headingOf(line: string): { readonly section: Section; readonly length: number } | undefined {
  const marks = MARKS.exec(line)?.[0].length ?? 0
  const colon = line.slice(marks, marks + MAX_HEADING_LENGTH).search(/[:：]/u)
  const whole = colon < 0
  const words = whole ? line.slice(marks) : line.slice(marks, marks + colon)
  if (words.length > MAX_HEADING_LENGTH || words === '') return undefined
  if (whole && !/^[\s#*_【[]*[#*_【[]/u.test(line) && !isShort(words)) return undefined
  const section = HEADINGS.find(([, pattern]) => pattern.test(words))?.[0]
  return section && { section, length: whole ? line.length : marks + colon + 1 }
}

/** A heading without a mark or a colon is some words, and no sentence. */
function isShort(words: string): boolean {
  return !/[.。；;,，、!！]/u.test(words) && words.trim().split(/\s+/).length <= 6 && words.length <= 50
}
