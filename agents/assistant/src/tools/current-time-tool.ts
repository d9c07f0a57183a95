import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { readPageContext } from '@dragoman/agent-kit/text/quote-untrusted-page'

/** Lets the agent know what time it is. `now` is the clock. */
export function currentTimeTool(now: () => Date): Tool {
  return defineTool({
    name: 'current_time',
    description:
      'Says what day and time it is now, in a time zone by its IANA name, as Europe/Berlin or ' +
      "Asia/Shanghai; without one in the user's, if the page tells it, else in UTC.",
    inputSchema: z.object({ zone: z.string().max(100).optional() }),
    idempotent: true,
    execute: async ({ zone }, { context }) => {
      const output = timeIn(zone ?? zoneIn(context) ?? 'UTC', now())
      const { time, day, dayInChinese, offset, summerTime } = output
      const words = [
        `${time} (${output.zone}, UTC${offset}${summerTime ? ', daylight saving time' : ''})`,
        day,
        dayInChinese,
      ]
      return toolResult({ output, text: words.join('\n') })
    },
  })
}

/** The time zone of the page, by a field of its own or by an entry that is called so. */
function zoneIn(context: Json): string | undefined {
  const { timeZone, context: entries = [] } = readPageContext(context)
  const entryZone = entries.find(({ description }) => /time ?zone|时区/i.test(description))?.value
  return [timeZone, entryZone].find((zone): zone is string => typeof zone === 'string' && isZone(zone))
}

function timeIn(wish: string, at: Date) {
  if (!isZone(wish)) {
    throw new ServiceError(
      'invalid-input',
      `There is no time zone ${wish.slice(0, 100)}: zones are named as Europe/Berlin or Asia/Shanghai.`,
    )
  }
  const canonical = new Intl.DateTimeFormat('en', { timeZone: wish }).resolvedOptions().timeZone
  // Of two names for one zone the asked one is said, in its usual letters.
  const zone = canonical.toLowerCase() === wish.toLowerCase() ? canonical : wish
  const offset = offsetOf(zone, at)
  const year = at.getUTCFullYear()
  const usual = Math.min(
    ...[0, 6].map((month) => minutesOf(offsetOf(zone, new Date(Date.UTC(year, month, 1))))),
  )
  const local = new Date(at.getTime() + minutesOf(offset) * 60_000).toISOString().slice(0, 19)
  const date = { timeZone: zone, weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const
  return {
    time: `${local}${offset}`,
    zone,
    offset,
    summerTime: minutesOf(offset) > usual,
    day: new Intl.DateTimeFormat('en-GB', date).format(at),
    dayInChinese: new Intl.DateTimeFormat('zh-CN', date).format(at),
  }
}

/** As `+08:00`. */
function offsetOf(zone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    at,
  )
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return /[+-]\d\d:\d\d/.exec(name)?.[0] ?? '+00:00'
}

function minutesOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
