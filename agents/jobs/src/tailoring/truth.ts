import { entryFindings, sentenceFindings } from './check-claims.ts'
import { keywordsOf } from './keywords.ts'
import { sentencesOf } from './lines.ts'
import type { Finding, Keywords, Mark, Warning } from './mark.ts'
import { namingLines, sourceOf, type NamingLine, type Source } from './source.ts'
import { warningsOf } from './warnings.ts'

/** What can be said of a rewriting without asking anybody. */
export type Truth = {
  /** Nothing in it lacks a source. */
  readonly clean: boolean
  readonly marks: readonly Mark[]
  readonly warnings: readonly Warning[]
  readonly keywords: Keywords
}

/** Compares a tailored resume with the one that it was made of, and with the posting that it was made for. */
export function truthOf(base: string, tailored: string, posting: string): Truth {
  const source = sourceOf(base)
  const lines = namingLines(tailored)
  const rawLines = tailored.split(/\r?\n/u)
  const marks = marksOf(source, lines).map(({ kind, said, sentence, line }) => {
    return { kind, said, sentence: asWritten(sentence, rawLines[line - 1] ?? ''), line }
  })
  return {
    clean: marks.length === 0,
    marks,
    warnings: warningsOf(source, lines, posting),
    keywords: keywordsOf(source, lines, posting),
  }
}

/** The claims that do not trace to the source. Lines and sentences that stand there in the same words do. */
function marksOf(source: Source, lines: readonly NamingLine[]): readonly Mark[] {
  return lines
    .filter(({ role, text }) => role !== 'section' && !source.says(text))
    .flatMap((line) =>
      line.role === 'entry'
        ? asMarks(entryFindings(line, source), line.text, line.at)
        : sentenceMarks(line, source),
    )
}

function sentenceMarks(line: NamingLine, source: Source): readonly Mark[] {
  let end = 0
  return sentencesOf(line).flatMap((text) => {
    const start = line.text.indexOf(text, end)
    end = start + text.length
    if (source.says(text)) return []
    const mentions = line.mentions.filter(({ at }) => at >= start && at < end)
    const sentence = { ...line, text, rest: line.rest.slice(start, end), mentions }
    return asMarks(sentenceFindings(sentence, source), text, line.at)
  })
}

function asMarks(found: readonly Finding[], sentence: string, line: number): readonly Mark[] {
  const isTold = ({ kind, said }: Finding, nth: number): boolean =>
    found.some(
      (other, at) =>
        other.kind === kind && other.said.includes(said) && (other.said.length > said.length || at < nth),
    )
  return found
    .filter((one, nth) => !isTold(one, nth))
    .map(({ kind, said }) => ({ kind, said, sentence, line }))
}

/** A sentence in the signs of its line: what is compared is in NFKC, and a Chinese comma is none of its own there. */
function asWritten(sentence: string, line: string): string {
  const signs = Array.from(line)
  const plainSigns = signs.map((sign) => sign.normalize('NFKC'))
  const begins = plainSigns.join('').indexOf(sentence)
  if (begins < 0) return sentence
  const before = (end: number): number => {
    let [count, length] = [0, 0]
    while (length < end) {
      length += plainSigns[count]?.length ?? end
      count += 1
    }
    return count
  }
  return signs.slice(before(begins), before(begins + sentence.length)).join('')
}
