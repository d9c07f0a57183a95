import { ServiceError } from 'dragoman/errors'

const MINUTE = 60_000
const DAY = 86_400_000
/** Shorter than any winter, so that a search from a summer finds the next winter. */
const STEP = 30 * DAY
/**
 * The longest stretch of clocks put forward that counts as summer time: the war times of the 1940s were of nearly four
 * years.
 */
const MAX_SUMMER_TIME_MS = 1461 * DAY
const YEAR = 365 * DAY

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const cachedClock = clocks.get(zone)
  if (cachedClock) return cachedClock
  try {
    const made = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      timeZoneName: 'long',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    clocks.set(zone, made)
    return made
  } catch (cause) {
    throw new ServiceError('invalid-input', `birthPlace: ${JSON.stringify(zone)} is no time zone.`, { cause })
  }
}

function readClock(zone: string, instant: number): { readonly offset: number; readonly name: string } {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of clockOf(zone).formatToParts(instant)) part[type] = value
  const { year, month, day, hour, minute, second } = part
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  return { offset: (wall - Math.floor(instant / 1000) * 1000) / MINUTE, name: part.timeZoneName ?? '' }
}

/**
 * Minutes that the clocks of a zone were ahead of UTC at an instant: with a fraction where they still went by the local
 * sun. @throws ServiceError `invalid-input` for a zone that there is not
 */
export function offsetAt(zone: string, instant: number): number {
  return readClock(zone, instant).offset
}

type ZoneOffset = { readonly offset: number; readonly instant: number }

/**
 * When the clocks were behind those of an instant, next before or after it, within so long a time: within a year of it
 * where they were further ahead in between, as in summers of double summer time.
 */
function lower(
  zone: string,
  { offset, instant }: ZoneOffset,
  step: number,
  within: number,
): ZoneOffset | undefined {
  let most = within
  for (let away = Math.abs(step); away <= most; away += Math.abs(step)) {
    const at = instant + Math.sign(step) * away
    const other = readClock(zone, at).offset
    if (other < offset) return { offset: other, instant: at }
    if (other > offset) most = Math.min(most, YEAR)
  }
  return undefined
}

/**
 * The offset without what was summer time in it, where the zone's data call it by that name: from the last winter
 * before it. A country that has gone over the date line since then is a whole day ahead of that winter, which is no
 * summer time.
 */
function standardOffset(zone: string, instant: number, offset: number): number {
  for (let away = STEP; away <= 2 * MAX_SUMMER_TIME_MS; away += STEP) {
    const before = readClock(zone, instant - away)
    const forward = offset - before.offset
    if (!summer.test(before.name) && forward > 0 && forward <= MAX_SUMMER_TIME_MINUTES) return before.offset
  }
  return offset - 60
}

/** Double summer time. */
const MAX_SUMMER_TIME_MINUTES = 120

/**
 * Ireland's law calls its summer the standard time, and its winter Greenwich's; its clocks were put forward all the
 * same.
 */
const summer = /Summer|Daylight|Irish Standard/

/**
 * Minutes of summer time in the clocks of a zone. `Intl` tells no such thing but in the zone's name, and that only
 * since about 1970: before, it is taken for a stretch of at most four years in which the clocks were ahead of what they
 * had been before and were after. Where that was itself such a stretch, of at most a year either side, the summer time
 * was double.
 */
export function summerTimeAt(zone: string, instant: number): number {
  if (zone.startsWith('Etc/')) return 0
  const { offset, name } = readClock(zone, instant)
  if (summer.test(name)) return offset - standardOffset(zone, instant, offset)
  if (/Standard|Mean/.test(name)) return 0
  const now = { offset, instant }
  const before = lower(zone, now, -STEP, MAX_SUMMER_TIME_MS)
  const after = before && lower(zone, now, STEP, MAX_SUMMER_TIME_MS)
  if (!after) return 0
  const outer = [lower(zone, before, -STEP, YEAR), lower(zone, after, STEP, YEAR)] as const
  const [first, last] = outer.every((one) => one !== undefined) ? outer : [before, after]
  return offset - Math.min(first?.offset ?? offset, last?.offset ?? offset)
}

/**
 * The instants at which a zone's clocks showed a wall time: two where the hour came twice, none where it was skipped.
 * The earlier first.
 */
export function instantsOf(zone: string, wall: number): readonly number[] {
  const offsets = new Set([-36, -12, 0, 12, 36].map((hours) => offsetAt(zone, wall + hours * 60 * MINUTE)))
  return [...offsets]
    .map((offset) => ({ offset, instant: wall - offset * MINUTE }))
    .filter(({ offset, instant }) => offsetAt(zone, instant) === offset)
    .map(({ instant }) => instant)
    .toSorted((a, b) => a - b)
}
