import { Cron } from 'croner'

import { ServiceError } from 'dragoman/errors'

/** The shortest pause between two syncs. */
const MIN_INTERVAL_MINUTES = 15
/** The runs that are checked for their distance. */
const CHECKED_RUNS = 200
const BACK_OFF_MS = 15 * 60_000
const MAX_BACK_OFF_MS = 24 * 60 * 60_000

const EXAMPLE = '“0 8 * * 1-5 Europe/Berlin”: minute, hour, day, month, day of the week, and a time zone'

/**
 * Reads a schedule: a cron line of five fields, or `@hourly`, `@daily`, `@weekly`, `@monthly`, and behind it a time
 * zone; without one it goes by the server's.
 * @returns the same with its zone
 * @throws ServiceError `invalid-request`
 */
export function readSchedule(field: string, text: string): string {
  const words = text.trim().split(/\s+/)
  const length = words[0]?.startsWith('@') === true ? 1 : 5
  const line = words.slice(0, length).join(' ')
  const [zone = Intl.DateTimeFormat().resolvedOptions().timeZone, ...others] = words.slice(length)
  if (words.length < length || others.length > 0) throw wrong(field)

  const cron = parsed(field, line, zone)
  const runs = cron.nextRuns(CHECKED_RUNS, new Date()).map((run) => run.getTime())
  if (runs.length === 0) throw new ServiceError('invalid-request', `${field} never comes to pass`)
  const tooSoon = runs.some((run, at) => at > 0 && run - (runs[at - 1] ?? 0) < MIN_INTERVAL_MINUTES * 60_000)
  if (tooSoon) {
    throw new ServiceError(
      'invalid-request',
      `${field} must leave at least ${MIN_INTERVAL_MINUTES} minutes between`,
    )
  }
  return `${line} ${zone}`
}

function parsed(field: string, line: string, zone: string): Cron {
  try {
    const cron = new Cron(line, { timezone: zone, paused: true })
    cron.nextRun()
    return cron
  } catch (cause) {
    throw wrong(field, cause)
  }
}

function wrong(field: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid-request', `${field} must be a cron line, as ${EXAMPLE}`, { cause })
}

/** When a schedule comes next, as ISO. */
export function nextRun(schedule: string, after: Date): string | null {
  const words = schedule.split(' ')
  const zone = words.pop() ?? 'UTC'
  const next = new Cron(words.join(' '), { timezone: zone, paused: true }).nextRun(after)
  return next?.toISOString() ?? null
}

/**
 * When to try again after so many failures. What will not mend itself, such as a wrong password, is tried once a day
 * at most.
 */
export function retryAt(failures: number, retryable: boolean, now: Date): string {
  const wait = retryable ? Math.min(BACK_OFF_MS * 2 ** (failures - 1), MAX_BACK_OFF_MS) : MAX_BACK_OFF_MS
  return new Date(now.getTime() + wait).toISOString()
}
