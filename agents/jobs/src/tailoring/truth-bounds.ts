import type { Finding, Mark, Warning } from './truth-shapes.ts'

/** What a text that is no resume at all yields. The others are counted. */
const MAX_MARKS = 500
const MAX_WARNINGS = 200
/** Of a sentence, and of the words that are found in it, in characters. */
const MAX_EXCERPT = 300

/** A list that has an end, and how many it would have. */
export type Bounded<T> = { readonly shown: readonly T[]; readonly omitted: number }

/**
 * The findings of a sentence. Of two of a kind, one within the other, the longer one stays. Beyond so many, they are
 * counted and not compared: each is compared with each other.
 */
export function boundFindings(findings: readonly Finding[]): Bounded<Finding> {
  const each = [...new Map(findings.map((one) => [`${one.kind} ${one.said}`, one])).values()]
  const compared = each.slice(0, MAX_MARKS)
  const isWithin = (one: Finding, other: Finding): boolean =>
    one !== other && one.kind === other.kind && other.said.includes(one.said)
  return {
    shown: compared.filter((one) => !compared.some((other) => isWithin(one, other))),
    omitted: each.length - compared.length,
  }
}

/** A mark for a finding. It has a part of a long sentence: many marks may be of the same one. */
export function toMark({ kind, said }: Finding, sentence: string, line: number): Mark {
  const at = Math.max(0, sentence.indexOf(said))
  return { kind, said: excerpt(said, 0), sentence: excerpt(sentence, at), line }
}

export function boundMarks(parts: readonly Bounded<Mark>[]): Bounded<Mark> {
  const marks = parts.flatMap(({ shown }) => shown)
  const omitted = parts.reduce((sum, part) => sum + part.omitted, 0)
  return { shown: marks.slice(0, MAX_MARKS), omitted: omitted + Math.max(0, marks.length - MAX_MARKS) }
}

export function boundWarnings(warnings: readonly Warning[]): Bounded<Warning> {
  return {
    shown: warnings.slice(0, MAX_WARNINGS).map(({ kind, said }) => ({ kind, said: excerpt(said, 0) })),
    omitted: Math.max(0, warnings.length - MAX_WARNINGS),
  }
}

/** A part of a long text, from a little before a place in it. */
function excerpt(text: string, at: number): string {
  if (text.length <= MAX_EXCERPT) return text
  const start = Math.max(0, Math.min(at - MAX_EXCERPT / 3, text.length - MAX_EXCERPT))
  const end = start + MAX_EXCERPT
  const part = text.slice(start, end).toWellFormed()
  return `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`
}
