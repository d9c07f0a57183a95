import { constantFrom, integer, option, record, type Arbitrary } from 'fast-check'

import { genders, usualOptions, type Birth } from '../birth/birth.ts'

/** A birth of C2.5's table: 庚午 辛巳 庚辰 癸未. */
export const knownBirth: Birth = {
  date: { calendar: 'solar', year: 1990, month: 5, day: 15 },
  time: { hour: 14, minute: 30 },
  gender: 'male',
  options: usualOptions,
}

type BirthParts = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly time: Birth['time'] | undefined
  readonly gender: Birth['gender']
}

const time = record({ hour: integer({ min: 0, max: 23 }), minute: integer({ min: 0, max: 59 }) })

/** Births by the clock of China, with or without an hour. */
export const births: Arbitrary<Birth> = record({
  year: integer({ min: 1930, max: 2030 }),
  month: integer({ min: 1, max: 12 }),
  day: integer({ min: 1, max: 28 }),
  time: option(time, { nil: undefined }),
  gender: constantFrom(...genders),
}).map(birthOf)

function birthOf({ year, month, day, time: at, gender }: BirthParts): Birth {
  const birth: Birth = { date: { calendar: 'solar', year, month, day }, gender, options: usualOptions }
  return at ? { ...birth, time: at } : birth
}
