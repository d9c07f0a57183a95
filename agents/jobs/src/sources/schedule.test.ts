import { describe, expect, it } from 'vitest'

import { nextRun, readSchedule, retryAt } from './schedule.ts'

describe('a schedule', () => {
  it.each([
    ['0 8 * * 1-5 Europe/Berlin', '0 8 * * 1-5 Europe/Berlin'],
    ['  30  7 * * *   Asia/Shanghai ', '30 7 * * * Asia/Shanghai'],
    ['@daily UTC', '@daily UTC'],
    ['*/15 * * * * UTC', '*/15 * * * * UTC'],
  ])('%j is read', (text, schedule) => {
    expect(readSchedule('schedule', text)).toBe(schedule)
  })

  it('uses the server’s time zone by default', () => {
    expect(readSchedule('schedule', '0 8 * * *')).toBe(
      `0 8 * * * ${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
    )
  })

  it.each([
    ['0 8 * *', /must be a cron line/],
    ['0 8 * * * * UTC', /must be a cron line/],
    ['0 25 * * * UTC', /must be a cron line/],
    ['0 8 * * * Mars/Olympus', /must be a cron line/],
    ['0 8 * * * UTC tomorrow', /must be a cron line/],
    ['@fortnightly', /must be a cron line/],
    ['*/14 * * * * UTC', 'schedule must leave at least 15 minutes between'],
    ['0,10 8 * * * UTC', 'schedule must leave at least 15 minutes between'],
    ['0 0 31 2 * UTC', 'schedule never comes to pass'],
  ])('%j is refused', (text, message) => {
    expect(() => readSchedule('schedule', text)).toThrow(message)
  })

  it.each([
    ['0 8 * * * Asia/Shanghai', '2026-11-22T00:00:00Z', '2026-11-23T00:00:00.000Z'],
    ['0 8 * * * Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T06:00:00.000Z'],
    ['0 8 * * 1 UTC', '2026-11-22T00:00:00Z', '2026-11-23T08:00:00.000Z'],
  ])('%s comes after %s at %s', (schedule, after, next) => {
    expect(nextRun(schedule, new Date(after))).toBe(next)
  })

  it.each([
    [1, true, '00:15'],
    [2, true, '00:30'],
    [4, true, '02:00'],
    [1, false, '00:00'],
    [60, true, '00:00'],
  ])('after %i failures, retryable: %s, is tried again at %s', (failures, retryable, time) => {
    const at = retryAt(failures, retryable, new Date('2026-11-22T00:00:00Z'))

    // Never later than a day.
    expect(at).toBe(time === '00:00' ? '2026-11-23T00:00:00.000Z' : `2026-11-22T${time}:00.000Z`)
  })
})
