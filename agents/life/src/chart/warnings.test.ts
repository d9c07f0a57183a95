import { describe, expect, it } from 'vitest'

import {
  beijing,
  birthAt,
  chengdu,
  harbin,
  kashgar,
  london,
  newYork,
  shanghai,
  urumqi,
} from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'
import type { Birth } from '../birth/birth.ts'
import { parseBirthTime } from '../birth/parse-birth-time.ts'
import type { ChartWarning } from './chart.ts'

const warned = (birth: Birth, code: ChartWarning['code']): ChartWarning | undefined =>
  chartOf(birth).warnings.find((warning) => warning.code === code)

describe('a chart warns', () => {
  it.each([
    ['no-place', birthAt('1990-01-15 12:00'), undefined],
    ['dst', birthAt('1988-07-01 15:30'), { hour: '丁未' }],
    ['dst', birthAt('1988-07-01 15:30', { place: shanghai }), { hour: '戊申' }],
    ['dst', birthAt('1988-07-01 15:30', { place: shanghai, options: { applyDst: false } }), { hour: '丁未' }],
    ['dst', birthAt('1988-07-01 14:30', { place: shanghai }), undefined],
    ['near-term', birthAt('2024-02-04 16:25'), { year: '甲辰', month: '丙寅' }],
    ['near-term', birthAt('2024-02-04 16:29'), { year: '癸卯', month: '乙丑' }],
    ['near-term', birthAt('2024-04-04 15:03'), { month: '丁卯' }],
    ['near-term', birthAt('2024-02-04'), { year: '甲辰', month: '丙寅' }],
    ['near-hour', birthAt('1990-01-15 13:00'), { hour: '壬午' }],
    ['near-hour', birthAt('1990-01-15 12:58'), { hour: '癸未' }],
    ['near-hour', birthAt('1990-01-15 22:59'), { day: '辛巳', hour: '戊子' }],
    ['near-day', birthAt('1990-01-15 23:00'), { day: '庚辰' }],
    ['near-day', birthAt('1990-01-15 23:30', { options: { dayBoundary: '00:00' } }), { day: '辛巳' }],
    ['near-day', birthAt('1990-01-15 00:02', { options: { dayBoundary: '00:00' } }), { day: '己卯' }],
    ['ambiguous-time', birthAt('1990-10-28 01:30', { place: newYork }), { hour: '己丑' }],
    ['skipped-time', birthAt('1990-04-01 02:50', { place: newYork }), undefined],
    ['skipped-time', birthAt('1981-03-29 01:30', { place: london }), { hour: '戊子' }],
    ['true-solar-time', birthAt('1990-11-05 12:30', { place: harbin }), { hour: '辛未' }],
    [
      'true-solar-time',
      birthAt('1990-11-05 12:30', { place: harbin, options: { trueSolarTime: true } }),
      { hour: '庚午' },
    ],
    ['local-clock', birthAt('1990-01-15 12:30', { place: urumqi }), undefined],
    ['unknown-hour', birthAt('1990-01-15'), { day: '辛巳' }],
    ['unknown-hour', birthAt('1990-01-15', { options: { dayBoundary: '00:00' } }), undefined],
    // The clocks were an hour forward: 23:30 was 22:30, and 0:30 the evening before.
    ['unknown-hour', birthAt('1990-05-15', { place: chengdu }), undefined],
    [
      'unknown-hour',
      birthAt('1990-05-15', { place: chengdu, options: { applyDst: false } }),
      { day: '辛巳' },
    ],
    [
      'unknown-hour',
      birthAt('1990-05-15', { place: chengdu, options: { dayBoundary: '00:00' } }),
      { day: '己卯' },
    ],
    [
      'unknown-hour',
      birthAt('1990-01-15', { place: kashgar, options: { trueSolarTime: true } }),
      { day: '己卯' },
    ],
  ] as const)('of %s', (code, birth, pillars) => {
    const found = warned(birth, code)

    expect(found).toBeDefined()
    expect(found?.alternative?.pillars).toEqual(pillars)
  })

  it.each([
    ['no-place', birthAt('1990-01-15 12:00', { place: beijing })],
    ['dst', birthAt('1990-01-15 12:00', { place: shanghai })],
    ['dst', birthAt('1988-07-01', { place: shanghai })],
    ['near-term', birthAt('2024-02-04 16:31')],
    ['near-term', birthAt('2024-02-19 12:13')],
    ['near-hour', birthAt('1990-01-15 13:04')],
    ['near-day', birthAt('1990-01-15 22:59')],
    ['near-day', birthAt('1990-01-15 00:02')],
    ['true-solar-time', birthAt('1990-11-05 13:30', { place: harbin })],
    ['local-clock', birthAt('1940-01-15 12:30', { place: urumqi })],
    ['unknown-hour', birthAt('1990-01-15 00:00')],
  ] as const)('not of %s where there is none', (code, birth) => {
    expect(warned(birth, code)).toBeUndefined()
  })

  it('of a 子 hour that is told as a whole, which lies on two days', () => {
    const at = (text: string): Birth => {
      const time = parseBirthTime(text)
      return { ...birthAt('1990-01-15'), ...(time && { time }) }
    }

    expect(warned(at('子时'), 'near-day')).toMatchObject({
      words: { zh: expect.stringContaining('夜子时') },
      alternative: { pillars: { day: '辛巳' } },
    })
    expect(warned(at('早子时'), 'near-day')).toBeUndefined()
    expect(warned(at('丑时'), 'near-day')).toBeUndefined()
  })

  it('in both languages, with what would be otherwise', () => {
    expect(warned(birthAt('1988-07-01 15:30', { place: shanghai }), 'dst')?.words).toEqual({
      zh: '当地这一天实行夏令时，钟表拨快了 60 分钟，已经减去。如果记下的时间本来就是标准时，则时柱为戊申。',
      en:
        'The clocks of the place were 60 minutes forward that day (summer time); that is taken off. If the time ' +
        'was told by standard time, the hour pillar is Wu-Shen (戊申).',
    })
  })

  it('by how much the sun is before or behind the clock, in words', () => {
    const words = (place: typeof harbin, time: string) =>
      warned(birthAt(`1990-11-05 ${time}`, { place, options: { trueSolarTime: true } }), 'true-solar-time')
        ?.words

    expect(words(harbin, '12:30')?.zh).toMatch(/比当地标准时快 [\d.]+ 分钟。如果用钟表时间/)
    expect(words(harbin, '12:30')?.en).toMatch(
      /used here: [\d.]+ minutes ahead of standard time\. By the clock/,
    )
    expect(words(urumqi, '13:30')?.zh).toMatch(/比当地标准时慢 [\d.]+ 分钟/)
    expect(words(urumqi, '13:30')?.en).toMatch(/[\d.]+ minutes behind standard time/)
  })

  it('how far the start of luck may lie from what is told, where the hour is not known', () => {
    const luck = (text: string) => chartOf(birthAt(text, { place: beijing })).luck
    const day = luck('1990-05-15')
    const far = luck('1990-05-15 23:59').start
    const away = Math.abs(Date.parse(`${far}Z`) - Date.parse(`${day.start}Z`)) / 86_400_000

    expect(day.start).toBe(luck('1990-05-15 12:00').start)
    expect(day.uncertainDays).toBeGreaterThanOrEqual(Math.floor(away))
    expect(day.uncertainDays).toBeLessThan(70)
    // A 节 in the day: those before it count three days to it, those after it a whole month.
    expect(luck('2024-02-04').uncertainDays).toBeGreaterThan(3000)
  })
})
