import { EightChar, type SolarTerm } from 'tyme4ts'

import { ServiceError } from 'dragoman/errors'
import type { Birth } from '../birth/birth.ts'
import { asWall, lunarDateOf } from './calendar.ts'
import type { Chart, Element, Stem } from './chart.ts'
import { clockOf, readClock, type Reading } from './birth-clock.ts'
import { computeElementBalance } from './element-balance.ts'
import { luckOf, luckOfDay } from './luck.ts'
import { cyclesAt, pillarOf, polarityOf, type Cycles } from './pillars.ts'
import { relationsOf } from './relations.ts'
import { findSymbolicStars } from './symbolic-stars.ts'
import { instantOf, termAt } from './solar-terms.ts'
import { warningsOf } from './warnings.ts'

/**
 * The chart of a birth. The same birth gives the same chart. @throws ServiceError `invalid-input` for a day or a time
 * that there was not
 */
export function chartOf(birth: Birth): Chart {
  validateTime(birth)
  const reading = readClock(birth)
  const cycles = cyclesAt(reading, birth.options)
  const pillars = pillarsOf(cycles)
  const dayMaster = cycles.day.getHeavenStem()
  const born = { instant: reading.instant, wall: reading.said, gender: birth.gender }
  const { year, month, day, hour } = pillars
  return {
    birth,
    clock: clockOf(reading),
    pillars,
    dayMaster: {
      stem: dayMaster.getName() as Stem,
      element: dayMaster.getElement().getName() as Element,
      polarity: polarityOf(dayMaster),
    },
    zodiac: cycles.year.getEarthBranch().getZodiac().getName(),
    lunarDate: lunarDateOf(reading.said),
    origins: originsOf(cycles),
    elements: computeElementBalance({ month, day, all: [year, month, day, ...(hour ? [hour] : [])] }),
    relations: relationsOf(pillars),
    stars: findSymbolicStars(pillars),
    luck: birth.time ? luckOf(born, cycles) : luckOfDay(born, cycles),
    terms: termsOf(reading),
    warnings: warningsOf(birth, reading),
  }
}

function validateTime({ time }: Birth): void {
  if (!time) return
  const { hour, minute } = time
  const whole = Number.isInteger(hour) && Number.isInteger(minute)
  if (!whole || hour < 0 || hour > 23 || minute < 0 || minute > 59) {
    throw new ServiceError('invalid-input', `birthTime: there is no ${hour}:${minute} on a clock.`)
  }
}

function pillarsOf({ year, month, day, hour }: Cycles): Chart['pillars'] {
  const dayMaster = day.getHeavenStem()
  return {
    year: pillarOf('year', year, dayMaster),
    month: pillarOf('month', month, dayMaster),
    day: pillarOf('day', day, dayMaster),
    ...(hour && { hour: pillarOf('hour', hour, dayMaster) }),
  }
}

function originsOf({ year, month, day, hour }: Cycles): Chart['origins'] {
  // Without an hour the day stands in its place: what rests on the hour is then not read.
  const eight = new EightChar(year, month, day, hour ?? day)
  return {
    conception: eight.getFetalOrigin().getName(),
    breath: eight.getFetalBreath().getName(),
    ...(hour && { lifePalace: eight.getOwnSign().getName(), bodyPalace: eight.getBodySign().getName() }),
  }
}

function termsOf({ instant, offset }: Reading): Chart['terms'] {
  const before = termAt(instant)
  const termFields = (term: SolarTerm): Chart['terms']['before'] => {
    const at = instantOf(term)
    return { name: term.getName(), at: new Date(at).toISOString(), local: asWall(at + offset * 60_000) }
  }
  return { before: termFields(before), after: termFields(before.next(1)) }
}
