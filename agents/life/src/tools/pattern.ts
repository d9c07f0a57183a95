import type { Chart, TenGod } from '../chart/chart.ts'
import { inEnglish } from '../chart/english-names.ts'
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
  zh: '只按月支本气对日主的十神取名（比肩、劫财另按建禄、羊刃、月劫），不看透干与成败；这是其中一种取法。',
  en: 'Named by the ten god of the main stem hidden in the month branch alone (one that is like the day master has names of its own); what shows among the stems is not judged. It is one way among several.',
}

/** @throws Error for a month whose branch hides no stem, which there is not */
export function patternOf(chart: Pick<Chart, 'pillars' | 'dayMaster'>): Pattern {
  const { month } = chart.pillars
  const main = month.hidden.find(({ role }) => role === 'main')
  if (!main) throw new Error(`The branch ${month.branch} hides no main stem.`)
  const by = main.tenGod
  const isOwnKind = by === '比肩' || by === '劫财'
  const [name, english] = isOwnKind ? ownKind(chart) : [`${by}格`, inEnglish(by)]
  return { name, english, by, method: METHOD }
}

/**
 * What is like the day master makes no pattern by its ten god: 《子平真诠》 论阳刃, 论建禄月劫. 建禄 is the branch of its livelihood
 * alone, and yang stems alone have a blade: 戊 in 辰 is neither.
 */
function ownKind({ pillars: { month }, dayMaster }: Pick<Chart, 'pillars' | 'dayMaster'>): [string, string] {
  if (month.phase === '临官') return ['建禄格', 'Established Livelihood']
  if (month.phase === '帝旺' && dayMaster.polarity === '阳') return ['羊刃格', 'Goat Blade']
  return ['月劫格', 'Month of Own Kind']
}
