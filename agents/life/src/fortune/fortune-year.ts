import { SolarTerm } from 'tyme4ts'

import { ServiceError } from 'dragoman/errors'
import type { Chart, LuckCycle, Relation } from '../chart/chart.ts'
import { cyclesAt } from '../chart/pillars.ts'
import { relationsBetween, relationsWith } from '../chart/relations.ts'
import { instantOf } from '../chart/solar-terms.ts'
import type { Area } from './fortune-texts.ts'
import { pickYearThemes, type YearTheme } from './year-themes.ts'
import { periodPillar, yearPillar, type PeriodPillar } from './period-pillar.ts'

export const FIRST_YEAR = 1900
export const LAST_YEAR = 2150

/** A solar term, and the instant at which it begins, ISO 8601 in UTC. */
export type Begin = { readonly term: string; readonly at: string }

/** 流月: from one 节 to the next. */
export type FortuneMonth = {
  /** 1 to 12: 1 is that of 寅, which begins at 立春. */
  readonly month: number
  readonly pillar: PeriodPillar
  readonly begins: Begin
  readonly ends: string
  readonly relations: readonly Relation[]
}

/**
 * Where a luck cycle begins within a year: on which day, by the clock of the birth's place, and which one holds until
 * then; none before the first. Without a known hour it may lie so many days either side.
 */
export type LuckChange = {
  readonly date: string
  readonly from?: string
  readonly to: string
  readonly uncertainDays?: number
}

/** 流年: a year from 立春 to 立春, for a chart. */
export type FortuneYear = {
  readonly year: number
  /**
   * Full years of life that are reached within the calendar's year of that number: who is born before 立春 is a year
   * older before the pillar's year ends.
   */
  readonly age: number
  readonly pillar: PeriodPillar
  readonly begins: Begin
  readonly ends: string
  /** The luck cycle of that year, by the chart's table; none before the first, and after the last. */
  readonly luck?: LuckCycle
  readonly luckChange?: LuckChange
  /** To the pillars of the chart. `names` has the year's own stem or branch first. */
  readonly relations: readonly Relation[]
  /** To the pillar of the luck cycle. */
  readonly withLuck: readonly Relation[]
  readonly themes: Readonly<Record<Area, YearTheme>>
}

/**
 * What a year brings together with a chart. Years before the birth are years too. @throws ServiceError `invalid-input`
 */
export function fortuneYear(chart: Chart, year: number): FortuneYear {
  validateYear(year)
  const pillar = yearPillar(chart, year)
  const begins = beginOf(springOf(year))
  const ends = beginOf(springOf(year + 1)).at
  const luck = luckIn(chart, year)
  const luckChange = changeIn(chart, begins.at, ends)
  const relations = relationsWith(chart, pillar)
  return {
    year,
    age: year - birthYear(chart),
    pillar,
    begins,
    ends,
    ...(luck && { luck }),
    ...(luckChange && { luckChange }),
    relations,
    withLuck: luck ? relationsBetween(pillar, luck) : [],
    themes: pickYearThemes(pillar, relations),
  }
}

/** The twelve months of a year, each from its 节 to the next. @throws ServiceError `invalid-input` */
export function fortuneMonths(chart: Chart, year: number): readonly FortuneMonth[] {
  validateYear(year)
  const spring = springOf(year)
  return Array.from({ length: 12 }, (_, index) => {
    const term = spring.next(2 * index)
    const instant = instantOf(term)
    const { month } = cyclesAt({ instant, wall: instant, hourKnown: false }, chart.birth.options)
    const pillar = periodPillar(chart, month.getName())
    return {
      month: index + 1,
      pillar,
      begins: beginOf(term),
      ends: beginOf(term.next(2)).at,
      relations: relationsWith(chart, pillar),
    }
  })
}

export function birthYear({ clock }: Chart): number {
  return Number(clock.said.slice(0, 4))
}

export function luckIn({ luck }: Chart, year: number): LuckCycle | undefined {
  return luck.cycles.find(({ startYear, endYear }) => startYear <= year && year <= endYear)
}

/** 立春 is the fourth of the library's terms, of which 冬至 is the first. */
function springOf(year: number): SolarTerm {
  return SolarTerm.fromIndex(year, 3)
}

function beginOf(term: SolarTerm): Begin {
  return { term: term.getName(), at: new Date(instantOf(term)).toISOString() }
}

/** Cycles begin every ten years on the day of the first. */
function changeIn({ luck }: Chart, begins: string, ends: string): LuckChange | undefined {
  const first = Number(luck.start.slice(0, 4))
  const { uncertainDays } = luck
  const changes = luck.cycles.map(({ name }, index) => {
    const before = luck.cycles[index - 1]
    return {
      date: sameDay(first + 10 * index, luck.start.slice(5, 10)),
      ...(before && { from: before.name }),
      to: name,
      ...(uncertainDays !== undefined && { uncertainDays }),
    }
  })
  return changes.find(({ date }) => begins.slice(0, 10) <= date && date < ends.slice(0, 10))
}

/** The 29th of February is the 28th where a year has none. */
function sameDay(year: number, day: string): string {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return `${year}-${day === '02-29' && !isLeap ? '02-28' : day}`
}

function validateYear(year: number): void {
  if (Number.isInteger(year) && year >= FIRST_YEAR && year <= LAST_YEAR) return
  throw new ServiceError('invalid-input', `year: must be a whole number from ${FIRST_YEAR} to ${LAST_YEAR}.`)
}
