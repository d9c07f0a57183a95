import type { Chart, TenGod } from '../chart/chart.ts'
import { inEnglish } from '../chart/english-names.ts'
import type { Phrase } from '../language.ts'
import texts from './card-texts.json' with { type: 'json' }

/** 格局 by one rule, told with it: an interpretation. */
export type ChartPattern = {
  readonly name: string
  readonly english: string
  /** The ten god on which it rests. */
  readonly by: TenGod
  readonly method: Phrase
}

/** @throws Error for a month whose branch hides no stem, which there is not */
export function findChartPattern(chart: Pick<Chart, 'pillars' | 'dayMaster'>): ChartPattern {
  const { month } = chart.pillars
  const main = month.hidden.find(({ role }) => role === 'main')
  if (!main) throw new Error(`The branch ${month.branch} hides no main stem.`)
  const by = main.tenGod
  const isOwnKind = by === '比肩' || by === '劫财'
  const [name, english] = isOwnKind ? ownKind(chart) : [`${by}格`, inEnglish(by)]
  return { name, english, by, method: texts.patternMethod }
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
