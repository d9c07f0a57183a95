import { wordPattern } from '../words/word-pattern.ts'
import words from './claim-words.json' with { type: 'json' }
import { sameFigure, sameMoment, sameSpan, type Figure, type Figures } from './figures.ts'
import { clausesOf, foldText } from './resume-lines.ts'
import type { Finding } from './truth-shapes.ts'
import { overlap, passageOf, type Passage, type ResumeEvidence } from './resume-evidence.ts'

const RAISED = wordPattern(words.claims.raised)
const LOWERED = wordPattern(words.claims.lowered)
/** A shorter clause, such as `提升三倍`, can be true of anything. */
const LONG_ENOUGH = /\p{L}{6}/u

/** The numbers and dates of a sentence that the source does not have, or has of something else. */
export function figureFindings(sentence: Passage, source: ResumeEvidence): readonly Finding[] {
  const clauses = clausesOf(sentence.text).map(passageOf)
  const wrong = sentence.figures.numbers.filter((one) => {
    const clause = clauses.find(({ text }) => text.includes(one.said)) ?? sentence
    return !isSourced(one, clause, sentence, source)
  })
  const reversed = clauses.filter((clause) => isReversed(clause, source))
  return [
    ...wrong.map(({ said }) => ({ kind: 'changed_number', said }) as const),
    ...reversed.map(({ text }) => ({ kind: 'changed_number', said: text }) as const),
    ...dateFindings(sentence.figures, source.whole.figures),
  ]
}

/** The dates that a source does not have, alone and in ranges. */
export function dateFindings({ moments, spans }: Figures, source: Figures): readonly Finding[] {
  const wrong = [
    ...moments.filter((one) => !source.moments.some((each) => sameMoment(one, each))),
    ...spans.filter((one) => !source.spans.some((each) => sameSpan(one, each))),
  ]
  return wrong.map(({ said }) => ({ kind: 'changed_date', said: said.trim() }))
}

/** Whether the source has the number, and counts the same thing with it. */
function isSourced(one: Figure, clause: Passage, sentence: Passage, { counted }: ResumeEvidence): boolean {
  const has = ({ figures }: Passage): boolean => figures.numbers.some((each) => sameFigure(one, each))
  const having = counted.filter(has)
  if (having.every(({ text }) => direction(text) * direction(clause.text) < 0)) return false
  // A clause without content words must be in the source as it is: `五年后端开发经验`.
  const text = foldText(clause.text)
  if (LONG_ENOUGH.test(text) && having.some((each) => foldText(each.text) === text)) return true
  const { keys } = clause.keys.size > 0 ? clause : sentence
  const nearest = (passages: readonly Passage[]): number =>
    Math.max(0, ...passages.map((each) => overlap(keys, each.keys)))
  const rivals = counted.filter(
    (each) => !has(each) && each.figures.numbers.some(({ unit }) => unit === one.unit),
  )
  const common = nearest(having)
  return nearest(rivals) <= common && (common > 0 || sentence.keys.size === 0)
}

/** `raised by 40%` and `reduced by 40%` have opposite directions. */
function direction(text: string): number {
  return Number(RAISED.test(text)) - Number(LOWERED.test(text))
}

/** `from 200 to 900` for `from 900 to 200`. */
function isReversed({ figures }: Passage, { counted }: ResumeEvidence): boolean {
  const [from, to, more] = figures.numbers.map(({ value }) => value)
  if (from === undefined || to === undefined || more !== undefined || from === to) return false
  const orders = counted
    .map((clause) => clause.figures.numbers.map(({ value }) => value))
    .filter((values) => values.includes(from) && values.includes(to))
  return orders.length > 0 && orders.every((values) => values.indexOf(from) > values.indexOf(to))
}
