import { LunarDay, LunarMonth, LunarYear, SolarDay } from 'tyme4ts'

import { ServiceError } from 'dragoman/errors'
import type { CalendarDate } from '../birth/birth.ts'

const FIRST = 1900
const LAST = 2100

function dateError(sentence: string): ServiceError {
  return new ServiceError('invalid-input', `birthDate: ${sentence}`)
}

/**
 * Midnight of a day, as a wall shows it: in milliseconds, counted as if it were UTC. @throws ServiceError
 * `invalid-input` for a day that there was not
 */
export function midnightOf(date: CalendarDate): number {
  const { year, month, day } = date
  if (![year, month, day].every(Number.isInteger)) {
    throw dateError('year, month and day must be whole numbers.')
  }
  const midnight = date.calendar === 'lunar' ? lunarMidnight(date) : solarMidnight(date)
  const found = new Date(midnight).getUTCFullYear()
  if (found < FIRST || found > LAST)
    throw dateError(`charts reach from ${FIRST} to ${LAST}; this is ${found}.`)
  return midnight
}

function solarMidnight({ year, month, day }: CalendarDate): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    throw dateError(`there is no ${year}-${two(month)}-${two(day)} in the solar calendar.`)
  }
  return date.getTime()
}

function lunarMidnight({ year, month, day, leap = false }: CalendarDate): number {
  if (year < FIRST - 1 || year > LAST)
    throw dateError(`charts reach from ${FIRST} to ${LAST}; this is ${year}.`)
  if (month < 1 || month > 12) throw dateError(`a lunar month is one of 1 to 12; this is ${month}.`)
  const leapMonth = LunarYear.fromYear(year).getLeapMonth()
  if (leap && leapMonth !== month) {
    const own = leapMonth === 0 ? 'no leap month' : `a leap month ${leapMonth}`
    throw dateError(`the lunar year ${year} has ${own}, and no leap month ${month}.`)
  }
  const signed = leap ? -month : month
  const days = LunarMonth.fromYm(year, signed).getDayCount()
  if (day < 1 || day > days) {
    throw dateError(
      `the lunar month ${year}-${two(month)}${leap ? ' (leap)' : ''} has ${days} days, and no day ${day}.`,
    )
  }
  const solar = LunarDay.fromYmd(year, signed, day).getSolarDay()
  return Date.UTC(solar.getYear(), solar.getMonth() - 1, solar.getDay())
}

/** A day of the solar calendar in the lunar one, as 二〇〇五年十一月廿三. */
export function lunarDateOf(midnight: number): string {
  const date = new Date(midnight)
  const lunar = SolarDay.fromYmd(
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
  ).getLunarDay()
  const month = lunar.getLunarMonth()
  const year = String(lunar.getYear())
    .split('')
    .map((digit) => '〇一二三四五六七八九'[Number(digit)])
    .join('')
  return `${year}年${month.getName()}${lunar.getName()}`
}

/** A wall's time as `1988-07-01T15:30`, or its day alone. */
export function asWall(wall: number, what: 'minute' | 'day' = 'minute'): string {
  return new Date(wall).toISOString().slice(0, what === 'day' ? 10 : 16)
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}
