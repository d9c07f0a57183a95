import { describe, expect, it } from 'vitest'

import { runTool } from '../../../../packages/dragoman/src/agents/run-tool.fixture.ts'
import { currentTimeTool } from './current-time-tool.ts'

const at = (iso: string) => currentTimeTool(() => new Date(iso))

describe('current_time', () => {
  it.each([
    [
      '2026-07-01T22:30:00Z',
      'Europe/Berlin',
      '2026-07-02T00:30:00+02:00 (Europe/Berlin, UTC+02:00, daylight saving time)',
    ],
    ['2026-01-01T22:30:00Z', 'Europe/Berlin', '2026-01-01T23:30:00+01:00 (Europe/Berlin, UTC+01:00)'],
    [
      '2026-01-01T00:00:00Z',
      'Australia/Sydney',
      '2026-01-01T11:00:00+11:00 (Australia/Sydney, UTC+11:00, daylight saving time)',
    ],
    ['2026-07-01T00:00:00Z', 'Asia/Kolkata', '2026-07-01T05:30:00+05:30 (Asia/Kolkata, UTC+05:30)'],
    ['2026-03-29T00:59:59Z', 'Europe/London', '2026-03-29T00:59:59+00:00 (Europe/London, UTC+00:00)'],
    [
      '2026-03-29T01:00:00Z',
      'Europe/London',
      '2026-03-29T02:00:00+01:00 (Europe/London, UTC+01:00, daylight saving time)',
    ],
  ])('at %s in %s', async (now, zone, text) => {
    expect((await runTool(at(now), { zone })).text.split('\n')[0]).toBe(text)
  })

  it('names the day in English and Chinese', async () => {
    const { text } = await runTool(at('2026-11-22T20:00:00Z'), { zone: 'Asia/Shanghai' })

    expect(text.split('\n').slice(1)).toEqual(['Monday, 23 November 2026', '2026年11月23日星期一'])
  })

  it.each([
    [{ timeZone: 'Asia/Tokyo' }, 'Asia/Tokyo'],
    [{ context: [{ description: "The user's time zone", value: 'America/New_York' }] }, 'America/New_York'],
    [{ context: [{ description: '用户时区', value: 'Asia/Shanghai' }] }, 'Asia/Shanghai'],
    [{ timeZone: 'Nowhere/At all' }, 'UTC'],
    [{}, 'UTC'],
  ])('uses the time zone of the page: %j', async (context, zone) => {
    expect((await runTool(at('2026-01-01T00:00:00Z'), {}, { context })).output).toMatchObject({ zone })
  })

  it('rejects an unknown time zone', async () => {
    await expect(runTool(at('2026-01-01T00:00:00Z'), { zone: 'Mars/Olympus' })).rejects.toThrow(
      'There is no time zone Mars/Olympus',
    )
  })
})
