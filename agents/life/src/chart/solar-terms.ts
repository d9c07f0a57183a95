import { SolarTime, type SolarTerm } from 'tyme4ts'

const BEIJING = 8 * 3_600_000

/** A wall's time, in milliseconds counted as if it were UTC. */
export function solarTime(wall: number): SolarTime {
  const date = new Date(wall)
  return SolarTime.fromYmdHms(
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  )
}

export function wallOf(time: SolarTime): number {
  return Date.UTC(
    time.getYear(),
    time.getMonth() - 1,
    time.getDay(),
    time.getHour(),
    time.getMinute(),
    time.getSecond(),
  )
}

/** When a term begins, to the second. The library reckons by Beijing's clock. */
export function instantOf(term: SolarTerm): number {
  return wallOf(term.getJulianDay().getSolarTime()) - BEIJING
}

/** The last of the 24 solar terms that has begun at an instant. */
export function termAt(instant: number): SolarTerm {
  const term = solarTime(instant + BEIJING).getTerm()
  const next = term.next(1)
  return instantOf(next) <= instant ? next : term
}

/** The last 节, one of those twelve terms with which a month begins, that has begun at an instant. */
export function monthTermAt(instant: number): SolarTerm {
  const term = termAt(instant)
  return term.isJie() ? term : term.next(-1)
}
