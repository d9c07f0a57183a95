import { HeavenStem } from 'tyme4ts'

import type { AlmanacDay } from '../almanac/almanac-day.ts'
import { addDays, readCivilDate, formatDate } from '../almanac/civil-date.ts'
import { opposite, partner } from '../almanac/find-days.ts'
import type { Birth } from '../birth/birth.ts'
import { chartOf } from '../chart/chart-of.ts'
import type { Element, Stem } from '../chart/chart.ts'
import { periodPillar } from '../fortune/period-pillar.ts'
import type { Theme } from './greeting-templates.ts'

/** On what a greeting rests: computed, and told with it. */
export type Basis = {
  /** By their Chinese names, as 乙未. */
  readonly dayPillar: string
  /** How the day's stem stands to the person's day master; the stem's own element where no birth is known. */
  readonly theme: Theme
  readonly personal: boolean
  readonly dayMaster?: Stem
  /** How the day's branch stands to those of the year and the day of birth. */
  readonly relation?: 'clash' | 'union'
  readonly term: string
  readonly termOccasion?: 'today' | 'tomorrow'
  readonly festivals: readonly string[]
}

/** The same day and birth give the same. */
export function basisOf(day: AlmanacDay, birth?: Birth): Basis {
  const { name, stem } = day.pillars.day
  const next = formatDate(addDays(readCivilDate(day.date, 'date'), 1))
  const occasion = day.term.startsToday ? 'today' : day.nextTerm.date === next ? 'tomorrow' : undefined
  const common: Omit<Basis, 'theme' | 'personal'> = {
    dayPillar: name,
    term: occasion === 'tomorrow' ? day.nextTerm.name : day.term.name,
    ...(occasion && { termOccasion: occasion }),
    festivals: day.festivals,
  }
  if (!birth) return { ...common, theme: elementOf(stem), personal: false }
  const { pillars, dayMaster } = chartOf(birth)
  const relation = relationOf(day, [pillars.year.branch, pillars.day.branch])
  return {
    ...common,
    theme: periodPillar({ dayMaster }, name).tenGod,
    personal: true,
    dayMaster: dayMaster.stem,
    ...(relation && { relation }),
  }
}

/** If a day has a clash and a union, the clash counts. */
function relationOf(
  { pillars: { day } }: AlmanacDay,
  natal: readonly AlmanacDay['clash']['branch'][],
): Basis['relation'] {
  if (natal.includes(opposite(day.branch))) return 'clash'
  return natal.includes(partner(day.branch)) ? 'union' : undefined
}

function elementOf(stem: Stem): Theme {
  return HeavenStem.fromName(stem).getElement().getName() as Element
}
