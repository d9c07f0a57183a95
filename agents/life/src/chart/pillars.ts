import { SixtyCycle, type HeavenStem, type HideHeavenStem } from 'tyme4ts'

import type { ChartOptions } from '../birth/birth.ts'
import type { Branch, Element, HiddenStem, Pillar, PillarName, Polarity, Stem, TenGod } from './chart.ts'
import { monthTermAt } from './solar-terms.ts'

const HOUR = 3_600_000
const DAY = 86_400_000
/** 2000-01-07 was a day 甲子. */
const FIRST_OF_SIXTY = Math.floor(Date.UTC(2000, 0, 7) / DAY)

/** The pillars as they stand, the hour's only where it is known. */
export type Cycles = {
  readonly year: SixtyCycle
  readonly month: SixtyCycle
  readonly day: SixtyCycle
  readonly hour?: SixtyCycle
}

/**
 * By which clocks pillars are found: year and month by the instant, day and hour by what a wall shows (milliseconds,
 * counted as if it were UTC).
 */
export type Moment = { readonly instant: number; readonly wall: number; readonly hourKnown: boolean }

/**
 * A year begins at 立春 and a month at its 节; the month's stem follows from the year's (五虎遁), the hour's from the day's
 * (五鼠遁): 《渊海子平》. The hour from 23:00 takes its stem from the next day also where the day itself begins at midnight
 * (夜子时).
 */
export function cyclesAt({ instant, wall, hourKnown }: Moment, { dayBoundary }: ChartOptions): Cycles {
  const term = monthTermAt(instant)
  // 小寒 is the first term of its calendar year, and the last 节 of the year of pillars before.
  const month = (term.getIndex() - 3) / 2
  const year = SixtyCycle.fromIndex(term.getYear() - (month < 0 ? 1 : 0) - 4)
  const firstMonth = (year.getHeavenStem().getIndex() % 5) * 2 + 2
  const months = month < 0 ? month + 12 : month
  const dayOfHour = Math.floor((wall + HOUR) / DAY)
  const day = hourKnown && dayBoundary === '23:00' ? dayOfHour : Math.floor(wall / DAY)
  return {
    year,
    month: cycle(firstMonth + months, months + 2),
    day: dayCycle(day),
    ...(hourKnown && { hour: hourCycle(dayCycle(dayOfHour), wall) }),
  }
}

function dayCycle(day: number): SixtyCycle {
  return SixtyCycle.fromIndex(day - FIRST_OF_SIXTY)
}

function hourCycle(day: SixtyCycle, wall: number): SixtyCycle {
  const hour = Math.floor(((((wall % DAY) + DAY) % DAY) + HOUR) / (2 * HOUR)) % 12
  return cycle((day.getHeavenStem().getIndex() % 5) * 2 + hour, hour)
}

function cycle(stem: number, branch: number): SixtyCycle {
  return SixtyCycle.fromIndex(6 * (stem % 10) - 5 * (branch % 12))
}

/** All fields of a pillar. `dayMaster` is the stem of the day. */
export function pillarOf(of: PillarName, sixty: SixtyCycle, dayMaster: HeavenStem): Pillar {
  const stem = sixty.getHeavenStem()
  const branch = sixty.getEarthBranch()
  const [first, second] = sixty.getExtraEarthBranches()
  if (!first || !second) throw new Error(`${sixty.getName()} has no void branches.`)
  return {
    name: sixty.getName(),
    stem: stem.getName() as Stem,
    branch: branch.getName() as Branch,
    element: stem.getElement().getName() as Element,
    polarity: polarityOf(stem),
    branchElement: branch.getElement().getName() as Element,
    tenGod: of === 'day' ? '日主' : tenGodOf(dayMaster, stem),
    hidden: branch.getHideHeavenStems().map((hidden) => hiddenOf(hidden, dayMaster)),
    sound: sixty.getSound().getName(),
    phase: dayMaster.getTerrain(branch).getName(),
    ownPhase: stem.getTerrain(branch).getName(),
    voids: [first.getName() as Branch, second.getName() as Branch],
  }
}

const roles = ['residual', 'middle', 'main'] as const

function hiddenOf(hidden: HideHeavenStem, dayMaster: HeavenStem): HiddenStem {
  const stem = hidden.getHeavenStem()
  return {
    stem: stem.getName() as Stem,
    element: stem.getElement().getName() as Element,
    role: roles[hidden.getType()],
    tenGod: tenGodOf(dayMaster, stem),
  }
}

export function tenGodOf(dayMaster: HeavenStem, stem: HeavenStem): TenGod {
  return dayMaster.getTenStar(stem).getName() as TenGod
}

export function polarityOf(stem: HeavenStem): Polarity {
  return stem.getIndex() % 2 === 0 ? '阳' : '阴'
}
