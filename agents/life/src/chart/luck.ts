import { DefaultChildLimitProvider } from 'tyme4ts'

import type { Gender } from '../birth/birth.ts'
import type { Branch, Luck, LuckCycle, Stem } from './chart.ts'
import { asWall } from './calendar.ts'
import { polarityOf, tenGodOf, type Cycles } from './pillars.ts'
import { instantOf, monthTermAt, solarTime, wallOf } from './solar-terms.ts'

const CYCLES = 10
const DAY = 86_400_000
const calendar = new DefaultChildLimitProvider()

type BirthMoment = {
  readonly instant: number
  /** What the clock of the place showed. */
  readonly wall: number
  readonly gender: Gender
}

function runsForward({ year }: Cycles, gender: Gender): boolean {
  return (polarityOf(year.getHeavenStem()) === '阳') === (gender === 'male')
}

/**
 * When the luck cycles begin: three days from birth to the 节 ahead or behind are a year, so that four months are a day
 * and two minutes one second. Exact to the minute, as the library's own default and school two of lunar-typescript have
 * it; another school counts whole double hours and comes out some days apart.
 */
function startOf(
  { instant, wall }: Omit<BirthMoment, 'gender'>,
  forward: boolean,
): { after: Luck['after']; start: number } {
  const behind = monthTermAt(instant)
  const distance = forward ? instantOf(behind.next(2)) - instant : instant - instantOf(behind)
  let seconds = Math.round(distance / 1000)
  const take = (size: number): number => {
    const whole = Math.floor(seconds / size)
    seconds -= whole * size
    return whole
  }
  const years = take(259_200)
  const months = take(21_600)
  const days = take(720)
  const hours = take(30)
  const minutes = seconds * 2
  const end = calendar.next(solarTime(wall), years, months, days, hours, minutes, 0).getEndTime()
  return { after: { years, months, days, hours, minutes }, start: wallOf(end) }
}

type First = { readonly age: number; readonly year: number; readonly birthYear: number }

function cyclesFrom(cycles: Cycles, forward: boolean, first: First): LuckCycle[] {
  const dayMaster = cycles.day.getHeavenStem()
  return Array.from({ length: CYCLES }, (_, index) => {
    const cycle = cycles.month.next(forward ? index + 1 : -index - 1)
    const startAge = first.age + 10 * index
    const startYear = first.year + 10 * index
    return {
      name: cycle.getName(),
      stem: cycle.getHeavenStem().getName() as Stem,
      branch: cycle.getEarthBranch().getName() as Branch,
      tenGod: tenGodOf(dayMaster, cycle.getHeavenStem()),
      startAge,
      endAge: startAge + 9,
      nominalAge: startYear - first.birthYear + 1,
      startYear,
      endYear: startYear + 9,
    }
  })
}

export function luckOf(born: BirthMoment, cycles: Cycles): Luck {
  const forward = runsForward(cycles, born.gender)
  const { after, start } = startOf(born, forward)
  const year = new Date(start).getUTCFullYear()
  return {
    forward,
    after,
    start: asWall(start),
    cycles: cyclesFrom(cycles, forward, {
      age: after.years,
      year,
      birthYear: new Date(born.wall).getUTCFullYear(),
    }),
  }
}

/**
 * The luck of a birth at noon, and how far that of another hour of the day may lie from it. `born` is noon. Where a 节
 * falls into the day its hours before count to it and those after to the next: then that is ten years.
 */
export function luckOfDay(born: BirthMoment, cycles: Cycles): Luck {
  const luck = luckOf(born, cycles)
  const term = instantOf(monthTermAt(born.instant + DAY / 2 - 60_000))
  const sides = [-DAY / 2, DAY / 2 - 60_000, term - born.instant, term - 1000 - born.instant]
  const starts = sides
    .filter((shift) => Math.abs(shift) <= DAY / 2)
    .map((shift) => startOf({ instant: born.instant + shift, wall: born.wall + shift }, luck.forward).start)
  const { start } = startOf(born, luck.forward)
  const furthest = Math.max(...starts.map((other) => Math.abs(other - start)))
  return { ...luck, uncertainDays: Math.ceil(furthest / DAY) }
}
