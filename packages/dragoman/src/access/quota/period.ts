export const periods = ['hourly', 'daily', 'weekly', 'monthly'] as const
export type Period = (typeof periods)[number]

/** From `start` until just before `end`, both in ms since 1970. */
export type Span = { readonly start: number; readonly end: number }

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** No zone differs from UTC by more than 14 hours or changes by more than a day. */
export const MAX_ZONE_SHIFT_MS = 2 * DAY_MS

/** More than there are zones. Each name can be written in thousands of ways, by case. */
const MAX_CACHED_ZONES = 1000

/**
 * The period of a zone's calendar that contains a moment. Each period starts where the one before it ends. Days start
 * at their first moment, which is not midnight if the clock skips it, and may have 23 to 25 hours. Weeks start on
 * Monday. Hours are counted from the start of the day, so the last one may be short.
 */
export function spanOf(period: Period, at: number, zone: string): Span {
  const key = `${period} ${zone}`
  const cached = spanCache.get(key)
  if (cached && cached.start <= at && at < cached.end) return cached
  const span = computeSpan(period, at, zone)
  if (spanCache.size >= MAX_CACHED_ZONES) spanCache.clear()
  spanCache.set(key, span)
  return span
}

/** The latest span of each period and zone: every start needs it. */
const spanCache = new Map<string, Span>()

function computeSpan(period: Period, at: number, zone: string): Span {
  const today = dayNumber(at, zone)
  switch (period) {
    case 'hourly': {
      const day = { start: startOfDay(today, zone), end: startOfDay(today + 1, zone) }
      const start = day.start + Math.floor((at - day.start) / HOUR_MS) * HOUR_MS
      return { start, end: Math.min(start + HOUR_MS, day.end) }
    }
    case 'daily':
      return { start: startOfDay(today, zone), end: startOfDay(today + 1, zone) }
    case 'weekly': {
      // 1970 began on a Thursday.
      const monday = today - ((today + 3) % 7)
      return { start: startOfDay(monday, zone), end: startOfDay(monday + 7, zone) }
    }
    case 'monthly': {
      const date = new Date(today * DAY_MS)
      const first = (later: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / DAY_MS
      return { start: startOfDay(first(0), zone), end: startOfDay(first(1), zone) }
    }
  }
}

/** The date in a zone, as days since 1970-01-01. */
export function dayNumber(at: number, zone: string): number {
  const { year, month, day } = partsOf(at, zone)
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS
}

/** Formats a day number as `2026-11-23`. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Formats a time as ISO 8601 in a zone, such as `2026-11-23T00:00:00+08:00`. */
export function formatInZone(at: number, zone: string): string {
  const { year, month, day, hour, minute, second, timeZoneName = 'GMT' } = partsOf(at, zone)
  const offset = timeZoneName.replace(/^GMT/, '') || '+00:00'
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`
}

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** The first moment of a day. Zones change their clocks at whole minutes, so a binary search over minutes finds it. */
export function startOfDay(day: number, zone: string): number {
  let before = (day * DAY_MS - MAX_ZONE_SHIFT_MS) / MINUTE_MS
  let from = (day * DAY_MS + MAX_ZONE_SHIFT_MS) / MINUTE_MS
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (dayNumber(middle * MINUTE_MS, zone) >= day) from = middle
    else before = middle
  }
  return from * MINUTE_MS
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Cached: creating one costs a hundred times its use, and 17 KB. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone)
  if (cached) return cached
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  })
  if (formats.size >= MAX_CACHED_ZONES) formats.clear()
  formats.set(zone, format)
  return format
}

function partsOf(at: number, zone: string): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  return Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
}
