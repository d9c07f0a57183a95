import type { Place } from '../places/place.ts'

export const genders = ['male', 'female'] as const
/** By which the luck cycles run forwards or backwards. */
export type Gender = (typeof genders)[number]

/** A day as a calendar names it. In the lunar one `month` 1 to 12 with `leap` for the second of that number. */
export type CalendarDate = {
  readonly calendar: 'solar' | 'lunar'
  readonly year: number
  readonly month: number
  readonly day: number
  readonly leap?: boolean
}

/**
 * A clock's time of day. `approximate` where only a double hour was said, of which it is the middle, or "about" was
 * said with it.
 */
export type TimeOfDay = { readonly hour: number; readonly minute: number; readonly approximate?: true }

/** Choices in which the schools differ. Each is part of the chart. */
export type ChartOptions = {
  /** When a day pillar changes: at 23:00, or at midnight. */
  readonly dayBoundary: '23:00' | '00:00'
  /** Whether day and hour go by the sun over the place of birth rather than by its clock. Needs a place. */
  readonly trueSolarTime: boolean
  /** Whether an hour that the clocks had been put forward is taken off again. Needs a place. */
  readonly applyDst: boolean
}

export const usualOptions: ChartOptions = { dayBoundary: '23:00', trueSolarTime: false, applyDst: true }

/**
 * When and where somebody was born, as they say it. Without `time` the hour is not known: nothing is put in its place.
 */
export type Birth = {
  readonly date: CalendarDate
  /** By the clock on the wall. */
  readonly time?: TimeOfDay
  readonly gender: Gender
  /** Without one the clock is taken for that of China, UTC+8, never put forward. */
  readonly place?: Place
  readonly options: ChartOptions
}
