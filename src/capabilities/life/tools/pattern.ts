import type { Chart, TenGod } from '../chart/chart.ts'
import { inEnglish } from '../chart/words.ts'
import type { Phrase } from '../language.ts'

/** 格局 by one rule, told with it: an interpretation. */
export type Pattern = {
  readonly name: string
  readonly english: string
  /** The ten god on which it rests. */
  readonly by: TenGod
  readonly method: Phrase
}

const METHOD: Phrase = {
  zh: '只按月支本气对日主的十神取名，不看透干与成败；这是其中一种取法。',
  en: 'Named by the ten god of the main stem hidden in the month branch alone; what shows among the stems is not judged. It is one way among several.',
}

/** Two of the ten have names of their own, since what is like the day master makes no pattern: 《子平真诠》 论建禄月劫. */
const own: Readonly<Partial<Record<TenGod, readonly [string, string]>>> = {
  比肩: ['建禄格', 'Established Livelihood'],
  劫财: ['月劫格', 'Month of Rob Wealth'],
}

/** @throws Error for a month whose branch hides no stem, which there is not */
export function patternOf({ pillars }: Pick<Chart, 'pillars'>): Pattern {
  const main = pillars.month.hidden.find(({ role }) => role === 'main')
  if (!main) throw new Error(`The branch ${pillars.month.branch} hides no main stem.`)
  const by = main.tenGod
  const [name, english] = own[by] ?? [`${by}格`, inEnglish(by)]
  return { name, english, by, method: METHOD }
}
