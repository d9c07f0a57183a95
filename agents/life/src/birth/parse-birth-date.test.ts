import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ServiceError } from 'dragoman/errors'
import type { Places } from '../places/place.ts'
import { parseBirthForm } from './parse-birth-form.ts'
import cases from '../../test/data/births.json' with { type: 'json' }

const nowhere: Places = { find: async () => [] }
const readDate = async (birthDate: string) =>
  (await parseBirthForm({ birthDate, gender: 'male' }, nowhere)).date
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const solar = (year: number, month: number, day: number) => ({ calendar: 'solar', year, month, day })

describe('a date', () => {
  it.each(Object.entries(cases.dates))('is read of %s', async (text, date) => {
    expect(await readDate(text)).toEqual(date)
  })

  it.each([...cases.wrongDates, 'x'.repeat(61)])('is not read of %s', async (text) => {
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
