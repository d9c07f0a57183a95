import { clausesOf, folded } from './claims.ts'
import { figuresIn, sameFigure, sameMoment, sameSpan, type Figure } from './figures.ts'
import type { Finding } from './mark.ts'
import { fragmentOf, type Fragment, type Source } from './source.ts'
import { overlap } from './wording.ts'

/** What is shorter, as `提升三倍`, may be said of anything. */
const LONG_ENOUGH = /\p{L}{6}/u

/** The numbers and dates of a sentence that the source does not have, or has of something else. */
export function figureFindings(sentence: string, source: Source): readonly Finding[] {
  const whole = fragmentOf(sentence)
  const clauses = clausesOf(sentence).map(fragmentOf)
  const numbers = whole.figures.numbers.filter((one) => {
    const clause = clauses.find(({ text }) => text.includes(one.said)) ?? whole
    if (clause.keys.size === 0 && standsThere(clause, source)) return false
    return !isSourced(one, clause.keys.size > 0 ? clause : whole, whole, source)
  })
  return [
    ...numbers.map(({ said }) => ({ kind: 'changed_number', said }) as const),
    ...turned(sentence, source).map((said) => ({ kind: 'changed_number', said }) as const),
    ...dateFindings(sentence, source),
  ]
}

/** Words that stand everywhere (`五年后端开发经验`) show nothing of what is counted; where the whole clause is the source's, its number is. */
function standsThere({ text }: Fragment, { counted }: Source): boolean {
  const clause = folded(text.trim())
  return LONG_ENOUGH.test(clause) && counted.some((each) => folded(each.text.trim()) === clause)
}

/** A number must be the source's, and count the same thing there. */
function isSourced(one: Figure, clause: Fragment, sentence: Fragment, source: Source): boolean {
  if (!source.numbersLike(one).some((known) => sameFigure(one, known))) return false
  const having = source.counted.filter(({ figures }) => figures.numbers.some((each) => sameFigure(one, each)))
  if (having.length > 0 && having.every(({ text }) => isOpposite(clause.text, text))) return false
  const common = Math.max(0, ...having.map(({ keys }) => overlap(clause.keys, keys)))
  const rivals = source.counted.filter(
    ({ figures }) =>
      figures.numbers.some(({ unit }) => unit === one.unit) &&
      !figures.numbers.some((each) => sameFigure(one, each)),
  )
  const nearest = Math.max(0, ...rivals.map(({ keys }) => overlap(clause.keys, keys)))
  if (nearest > common) return false
  return (
    common > 0 ||
    sentence.keys.size === 0 ||
    source.singles.some(
      ({ figures, keys }) =>
        figures.numbers.some((each) => sameFigure(one, each)) && overlap(sentence.keys, keys) > 0,
    )
  )
}

const UP = /\b(?:increas|rais|grow|grew|boost|lift|doubl)\w*|提升|提高|增长|增加|上升/iu
const DOWN = /\b(?:reduc|cut|lower|decreas|shrink|shrank|drop|slash|trim)\w*|降低|减少|缩短|下降|压缩/iu

/** `raised by 40%` for `reduced by 40%`. */
function isOpposite(one: string, other: string): boolean {
  return (
    (UP.test(one) && !DOWN.test(one) && DOWN.test(other) && !UP.test(other)) ||
    (DOWN.test(one) && !UP.test(one) && UP.test(other) && !DOWN.test(other))
  )
}

const FROM_TO = /(?:\bfrom|从|由)\s*(\S[^,;，。；]{0,30}?)\s*(?:\bto\b|[到至])\s*(\S[^,;，。；]{0,30})/giu

type Step = { readonly from: number; readonly to: number; readonly said: string }

function stepsIn(text: string): readonly Step[] {
  return [...text.matchAll(FROM_TO)].flatMap(([said, before = '', after = '']) => {
    const from = figuresIn(before).numbers.at(-1)?.value
    const to = figuresIn(after).numbers[0]?.value
    return from === undefined || to === undefined ? [] : [{ from, to, said }]
  })
}

/** `from 200 to 900` for `from 900 to 200`. */
function turned(sentence: string, { singles }: Source): readonly string[] {
  const steps = stepsIn(sentence)
  if (steps.length === 0) return []
  const known = singles.flatMap(({ text }) => stepsIn(text))
  const has = (from: number, to: number): boolean =>
    known.some((step) => step.from === from && step.to === to)
  return steps.filter(({ from, to }) => has(to, from) && !has(from, to)).map(({ said }) => said)
}

function dateFindings(sentence: string, { figures: known }: Source): readonly Finding[] {
  const { moments, spans } = figuresIn(sentence)
  const wrong = [
    ...moments.filter((one) => !known.moments.some((each) => sameMoment(one, each))),
    ...spans.filter((one) => !known.spans.some((each) => sameSpan(one, each))),
  ]
  return wrong.map(({ said }) => ({ kind: 'changed_date', said: said.trim() }) as const)
}
