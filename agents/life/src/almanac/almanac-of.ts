import { SolarDay, type LunarDay, type SixtyCycle, type SixtyCycleDay, type SolarTerm } from 'tyme4ts'

import { ServiceError } from 'dragoman/errors'
import { branches, stems, type Branch, type Stem, type StemBranch } from '../chart/chart.ts'
import { instantOf } from '../chart/solar-terms.ts'
import type { AlmanacDay } from './almanac-day.ts'
import { FIRST_YEAR, LAST_YEAR, formatDate, type CivilDate } from './civil-date.ts'

/** The calendar of tyme4ts names these two months by their numbers. */
const MONTH_NAMES: Readonly<Record<string, string>> = { 十一月: '冬月', 十二月: '腊月' }
/** Festivals that are a term's own day. tyme4ts names one festival a day, so that another may hide these. */
const TERM_FESTIVALS: Readonly<Record<string, string>> = { 清明: '清明节', 冬至: '冬至节' }

/**
 * What the almanac says of a day: a pure function in a module that loads tyme4ts, so have it by `await import`. 宜 and 忌
 * follow the month and day pillars; those of year and month change with the day on which their term begins.
 * @throws ServiceError `invalid-input` for years that it was not checked for
 */
export function almanacOf(date: CivilDate): AlmanacDay {
  if (date.year < FIRST_YEAR || date.year > LAST_YEAR) {
    throw new ServiceError(
      'invalid-input',
      `The almanac goes from ${FIRST_YEAR} to ${LAST_YEAR}; ${date.year} lies outside.`,
    )
  }
  const solar = SolarDay.fromYmd(date.year, date.month, date.day)
  const lunar = solar.getLunarDay()
  const day = solar.getSixtyCycleDay()
  const cycle = day.getSixtyCycle()
  const opposite = cycle.getEarthBranch().getOpposite()
  const termDay = solar.getTermDay()
  const term = termDay.getSolarTerm()
  const startsToday = termDay.getDayIndex() === 0
  const names = [
    lunar.getFestival()?.getName(),
    startsToday ? TERM_FESTIVALS[term.getName()] : undefined,
    solar.getFestival()?.getName(),
  ]
  return {
    date: formatDate(date),
    lunar: lunarName(lunar),
    lunarDate: {
      month: Math.abs(lunar.getMonth()),
      leap: lunar.getLunarMonth().isLeap(),
      day: lunar.getDay(),
    },
    pillars: {
      year: stemBranch(day.getYear()),
      month: stemBranch(day.getMonth()),
      day: stemBranch(cycle),
    },
    ...listsOf(day),
    term: { name: term.getName(), startsToday },
    nextTerm: beginning(term.next(1)),
    clash: {
      animal: opposite.getZodiac().getName(),
      branch: branchOf(opposite.getName()),
      direction: cycle.getEarthBranch().getOminous().getName(),
    },
    wealthDirection: cycle.getHeavenStem().getWealthDirection().getName(),
    duty: day.getDuty().getName(),
    mansion: day.getTwentyEightStar().getName(),
    bright: day.getTwelveStar().getEcliptic().getName() === '黄道',
    festivals: [...new Set(names.filter((name) => name !== undefined))],
  }
}

/** 宜 and 忌 alone, in a tenth of the time, for searches over many days. */
export function activitiesOf({ year, month, day }: CivilDate): Pick<AlmanacDay, 'good' | 'avoid'> {
  return listsOf(SolarDay.fromYmd(year, month, day).getSixtyCycleDay())
}

function listsOf(day: SixtyCycleDay): Pick<AlmanacDay, 'good' | 'avoid'> {
  return {
    good: day.getRecommends().map((one) => one.getName()),
    avoid: day.getAvoids().map((one) => one.getName()),
  }
}

function beginning(term: SolarTerm): AlmanacDay['nextTerm'] {
  const day = term.getSolarDay()
  return {
    name: term.getName(),
    at: new Date(instantOf(term)).toISOString().replace('.000', ''),
    date: formatDate({ year: day.getYear(), month: day.getMonth(), day: day.getDay() }),
  }
}

function lunarName(lunar: LunarDay): string {
  const month = lunar.getLunarMonth().getName()
  const leap = month.startsWith('闰') ? '闰' : ''
  const name = month.slice(leap.length)
  const year = lunar.getLunarMonth().getLunarYear().getSixtyCycle().getName()
  return `${year}年${leap}${MONTH_NAMES[name] ?? name}${lunar.getName()}`
}

function stemBranch(cycle: SixtyCycle): StemBranch {
  return {
    name: cycle.getName(),
    stem: stemOf(cycle.getHeavenStem().getName()),
    branch: branchOf(cycle.getEarthBranch().getName()),
  }
}

function stemOf(name: string): Stem {
  const stem = stems.find((one) => one === name)
  if (!stem) throw new Error(`tyme4ts gave a stem ${name}.`)
  return stem
}

function branchOf(name: string): Branch {
  const branch = branches.find((one) => one === name)
  if (!branch) throw new Error(`tyme4ts gave a branch ${name}.`)
  return branch
}
