import { figuresIn, sameFigure, sameMoment, sameSpan, type Figure, type Figures } from './figures.ts'
import { clausesOf, folded } from './lines.ts'
import type { Finding } from './mark.ts'
import { passageOf, type Passage, type Source } from './source.ts'
import { overlap } from './wording.ts'

/** A shorter clause, such as `提升三倍`, may be said of anything. */
const LONG_ENOUGH = /\p{L}{6}/u

/** The numbers and dates of a sentence that the source does not have, or has of something else. */
export function figureFindings(sentence: string, source: Source): readonly Finding[] {
  const whole = passageOf(sentence)
  const clauses = clausesOf(sentence).map(passageOf)
  const numbers = whole.figures.numbers.filter((one) => {
    const clause = clauses.find(({ text }) => text.includes(one.said)) ?? whole
    if (clause.keys.size === 0 && isClauseOf(clause, source)) return false
    return !isSourced(one, clause, whole, source)
  })
  return [
    ...[...numbers, ...reversedSteps(sentence, source)].map(
      ({ said }) => ({ kind: 'changed_number', said }) as const,
    ),
    ...dateFindings(whole.figures, source.figures),
  ]
}

/** The dates that a source does not have, in ranges and alone. */
export function dateFindings({ moments, spans }: Figures, source: Figures | undefined): readonly Finding[] {
  const wrong = [
    ...moments.filter((one) => !source?.moments.some((each) => sameMoment(one, each))),
    ...spans.filter((one) => !source?.spans.some((each) => sameSpan(one, each))),
  ]
  return wrong.map(({ said }) => ({ kind: 'changed_date', said: said.trim() }) as const)
}

/** Common words (`五年后端开发经验`) do not show what is counted; a whole clause of the source keeps its number. */
function isClauseOf({ text }: Passage, { counted }: Source): boolean {
  const clause = folded(text.trim())
  return LONG_ENOUGH.test(clause) && counted.some((each) => folded(each.text.trim()) === clause)
}

/** Whether the source has the number, and counts the same thing with it. */
function isSourced(one: Figure, clause: Passage, sentence: Passage, { counted, singles }: Source): boolean {
  const has = ({ figures }: Passage): boolean => figures.numbers.some((each) => sameFigure(one, each))
  const having = counted.filter(has)
  if (having.every(({ text }) => isOpposite(clause.text, text))) return false
  const { keys } = clause.keys.size > 0 ? clause : sentence
  const nearest = (passages: readonly Passage[]): number =>
    Math.max(0, ...passages.map((each) => overlap(keys, each.keys)))
  const rivals = counted.filter(
    (each) => !has(each) && each.figures.numbers.some(({ unit }) => unit === one.unit),
  )
  const common = nearest(having)
  if (nearest(rivals) > common) return false
  return (
    common > 0 ||
    sentence.keys.size === 0 ||
    singles.some((each) => has(each) && overlap(sentence.keys, each.keys) > 0)
  )
}

const UP = /\b(?:increas|rais|grow|grew|boost|lift|doubl)\w*|提升|提高|增长|增加|上升/iu
const DOWN = /\b(?:reduc|cut|lower|decreas|shrink|shrank|drop|slash|trim)\w*|降低|减少|缩短|下降|压缩/iu

/** `raised by 40%` for `reduced by 40%`. */
function isOpposite(one: string, other: string): boolean {
  const direction = (text: string): number => Number(UP.test(text)) - Number(DOWN.test(text))
  return direction(one) * direction(other) < 0
}

const FROM_TO = /(?:\bfrom|从|由)\s*(\S[^,;,，。；]{0,30}?)\s*(?:\bto\b|[到至])\s*(\S[^,;,，。；]{0,30})/giu

type Step = { readonly from: number; readonly to: number; readonly said: string }

function stepsIn(text: string): readonly Step[] {
  return [...text.matchAll(FROM_TO)].flatMap(([said, before = '', after = '']) => {
    const from = figuresIn(before).numbers.at(-1)?.value
    const to = figuresIn(after).numbers[0]?.value
    return from === undefined || to === undefined ? [] : [{ from, to, said }]
  })
}

/** `from 200 to 900` for `from 900 to 200`. */
function reversedSteps(sentence: string, { singles }: Source): readonly Step[] {
  const steps = stepsIn(sentence)
  if (steps.length === 0) return []
  const sourceSteps = singles.flatMap(({ text }) => stepsIn(text))
  const has = (from: number, to: number): boolean =>
    sourceSteps.some((step) => step.from === from && step.to === to)
  return steps.filter(({ from, to }) => has(to, from) && !has(from, to))
}
