import { HeavenStem, SixtyCycle } from 'tyme4ts'

import type { Chart, Pillar, TenGod } from '../chart/chart.ts'
import { pillarOf } from '../chart/pillars.ts'

/** A pillar of a stretch of time, seen from the day master of a chart. */
export type PeriodPillar = Pillar & {
  readonly tenGod: TenGod
  /** Of what the branch holds first. */
  readonly branchTenGod: TenGod
}

/** `name` is one of the sixty. */
export function periodPillar({ dayMaster }: Pick<Chart, 'dayMaster'>, name: string): PeriodPillar {
  const pillar = pillarOf('year', SixtyCycle.fromName(name), HeavenStem.fromName(dayMaster.stem))
  const main = pillar.hidden.find(({ role }) => role === 'main')
  if (pillar.tenGod === '日主' || !main) throw new Error(`${name} has no ten god of its own.`)
  return { ...pillar, tenGod: pillar.tenGod, branchTenGod: main.tenGod }
}

/** The pillar of the year that begins at 立春: 甲子 in 1984, and every sixty years. */
export function yearPillar(chart: Pick<Chart, 'dayMaster'>, year: number): PeriodPillar {
  return periodPillar(chart, SixtyCycle.fromIndex(year - 4).getName())
}
