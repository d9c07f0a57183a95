import { almanacOf } from '../almanac/almanac-of.ts'
import type { CivilDate } from '../almanac/civil-date.ts'
import type { Birth } from '../birth/birth.ts'
import { basisOf } from './basis.ts'
import { compose, type Composed } from './compose.ts'
import type { Greeting } from './greeting.ts'

type Wanted = Omit<Composed, 'day' | 'basis' | 'seed'> & {
  readonly date: CivilDate
  readonly birth: Birth | undefined
  readonly userId: string
}

/** Somebody's greeting of a day. With all words and the calendar it is loaded when somebody is greeted. */
export function greetingOf({ date, birth, userId, ...how }: Wanted): Greeting {
  const day = almanacOf(date)
  return compose({ ...how, day, basis: basisOf(day, birth), seed: `${userId} ${day.date}` })
}
