import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ServiceError } from 'dragoman/errors'
import type { Places } from '../places/place.ts'
import { readBirth } from './read-birth.ts'

const nowhere: Places = { find: async () => [] }
const readDate = async (birthDate: string) => (await readBirth({ birthDate, gender: 'male' }, nowhere)).date
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const solar = (year: number, month: number, day: number) => ({ calendar: 'solar', year, month, day })
const lunar = (year: number, month: number, day: number) => ({ calendar: 'lunar', year, month, day })

describe('a date', () => {
  it.each([
    ['1990-05-15', solar(1990, 5, 15)],
    ['1990/5/15', solar(1990, 5, 15)],
    ['1990.05.15', solar(1990, 5, 15)],
    ['1990年5月15日', solar(1990, 5, 15)],
    ['1990 年 5 月 15 号', solar(1990, 5, 15)],
    ['１９９０年５月１５日', solar(1990, 5, 15)],
    ['一九九〇年五月十五日', solar(1990, 5, 15)],
    ['二〇〇〇年十二月三十一日', solar(2000, 12, 31)],
    ['公历1990年5月15日', solar(1990, 5, 15)],
    ['國曆1990年5月15日', solar(1990, 5, 15)],
    ['陽曆 1990-05-15', solar(1990, 5, 15)],
    ['舊曆1990年四月廿一', lunar(1990, 4, 21)],
    ['民国79年5月15日', solar(1990, 5, 15)],
    ['民國七十九年五月十五日', solar(1990, 5, 15)],
    ['中华民国一百零五年一月二日', solar(2016, 1, 2)],
    ['民國元年1月1日', solar(1912, 1, 1)],
    ['农历民国79年四月廿一', lunar(1990, 4, 21)],
    ['15 May 1990', solar(1990, 5, 15)],
    ['15th of May, 1990', solar(1990, 5, 15)],
    ['May 15, 1990', solar(1990, 5, 15)],
    ['Sept. 3rd 2001', solar(2001, 9, 3)],
    ['农历1990年四月廿一', lunar(1990, 4, 21)],
    ['农历一九九〇年四月二十一日', lunar(1990, 4, 21)],
    ['阴历 1990-04-21', lunar(1990, 4, 21)],
    ['lunar 1990-04-21', lunar(1990, 4, 21)],
    ['1988年正月初一', lunar(1988, 1, 1)],
    ['1987年腊月廿九', lunar(1987, 12, 29)],
    ['1987年冬月初十', lunar(1987, 11, 10)],
    ['农历1990年闰五月初二', { ...lunar(1990, 5, 2), leap: true }],
    ['lunar 1990-leap 5-2', { ...lunar(1990, 5, 2), leap: true }],
  ])('is read of %s', async (text, date) => {
    expect(await readDate(text)).toEqual(date)
  })

  it.each([
    '',
    '05/06/1990',
    '1990',
    '1990年5月',
    'tomorrow',
    '明天',
    '90-5-15',
    '1850-01-01',
    '2099-01-01',
    '1990-02-30',
    'x'.repeat(61),
  ])('is not read of %s', async (text) => {
    await expect(readDate(text)).rejects.toMatchObject({
      message: expect.stringContaining('birthDate') as string,
    })
  })

  it('is read the same in figures, in Chinese and in English', async () => {
    const day = fc.tuple(
      fc.integer({ min: 1900, max: 2025 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
    )
    await fc.assert(
      fc.asyncProperty(day, async ([y, m, d]) => {
        const date = solar(y, m, d)
        expect(await readDate(`${y}-${m}-${d}`)).toEqual(date)
        expect(await readDate(`${y}年${m}月${d}日`)).toEqual(date)
        expect(await readDate(`${d} ${MONTHS[m - 1]} ${y}`)).toEqual(date)
      }),
    )
  })

  it('is read of any text at all, or refused', async () => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from('农历公闰年月日初十廿一二〇19905-/. May')),
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        const date = await readDate(input).catch((error: unknown) => error)
        expect(date instanceof ServiceError || Number.isInteger((date as { year: number }).year)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
