import type { Place } from './place.ts'

/** In Xinjiang. */
const LOCAL: ReadonlySet<string> = new Set(['Asia/Urumqi', 'Asia/Kashgar'])

/**
 * By which clock papers and offices went in a place in a year, or go today. In Xinjiang the tables of zones have the
 * local clock, UTC+6; papers have gone by Beijing's since 1949, and so does a birth's time unless its family says
 * otherwise.
 */
export function officialZone({ zone }: Pick<Place, 'zone'>, year?: number): string {
  return (year === undefined || year >= 1949) && LOCAL.has(zone) ? 'Asia/Shanghai' : zone
}
