import { assert, asyncProperty, boolean, integer, record } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { usualOptions, type Birth } from './birth.ts'
import { checkDate, parseBirthDate } from './parse-birth-date.ts'
import { birthText } from './birth-text.ts'

const birth: Birth = {
  date: { calendar: 'lunar', year: 1990, month: 5, day: 21, leap: true },
  time: { hour: 14, minute: 0, approximate: true },
  gender: 'female',
  place: { name: '四川成都', latitude: 30.67, longitude: 104.07, zone: 'Asia/Shanghai', country: 'CN' },
  options: usualOptions,
}

describe('a birth in words', () => {
  it('says what was understood, in both languages', () => {
    expect(birthText(birth, 'zh')).toBe('农历1990年闰五月廿一，约 14:00，四川成都，女')
    expect(birthText(birth, 'en')).toBe('lunar 1990-05-21 (leap month), about 14:00, 四川成都, female')
  })

  it('says what is not known, and what is not as usual', () => {
    const bare: Birth = {
      date: { calendar: 'solar', year: 1990, month: 5, day: 5 },
      gender: 'male',
      options: { dayBoundary: '00:00', trueSolarTime: false, applyDst: false },
    }

    expect(birthText(bare, 'zh')).toBe('1990年5月5日，时辰不详，出生地未填，男，零点换日，不扣夏令时')
    expect(birthText(bare, 'en')).toBe(
      '1990-05-05, hour not known, place not given, male, days change at midnight, summer time not taken off',
    )
  })

  it('has a lunar date so that it is read as the same again', async () => {
    const any = record({
      year: integer({ min: 1900, max: 2025 }),
      month: integer({ min: 1, max: 12 }),
      day: integer({ min: 1, max: 30 }),
      leap: boolean(),
    })
    await assert(
      asyncProperty(any, async ({ leap, ...said }) => {
        const date = { calendar: 'lunar' as const, ...said, ...(leap && { leap }) }
        const isDay = await checkDate(date, new Date('2027-01-01')).then(
          () => true,
          () => false,
        )
        if (!isDay) return
        const [words = ''] = birthText({ ...birth, date }, 'zh').split('，')
        expect(parseBirthDate(words)).toEqual(date)
      }),
      { numRuns: 500 },
    )
  })
})
