import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ServiceError } from 'dragoman/errors'
import { readBirthTime } from './birth-time.ts'

const at = (hour: number, minute: number) => ({ hour, minute })
const about = (hour: number, minute: number) => ({ ...at(hour, minute), approximate: true })

const timeIn = (text: string) => {
  try {
    return readBirthTime(text)
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError)
    return undefined
  }
}

describe('a time of day', () => {
  it.each([
    ['14:30', at(14, 30)],
    ['14:30:00', at(14, 30)],
    ['9:05', at(9, 5)],
    ['２：３０ pm', at(14, 30)],
    ['2:30 pm', at(14, 30)],
    ['2:30PM', at(14, 30)],
    ['12 am', at(0, 0)],
    ['12:15 p.m.', at(12, 15)],
    ['下午两点半', at(14, 30)],
    ['下午2点30分', at(14, 30)],
    ['14点30', at(14, 30)],
    ['早上八点一刻', at(8, 15)],
    ['早上八点三刻', at(8, 45)],
    ['晚上十点零五分', at(22, 5)],
    ['凌晨12点半', at(0, 30)],
    ['凌晨三点', at(3, 0)],
    ['半夜两点', at(2, 0)],
    ['夜里十一点半', at(23, 30)],
    ['夜里八点', at(20, 0)],
    ['深夜十点', at(22, 0)],
    ['中午十二点', at(12, 0)],
    ['中午一点', at(13, 0)],
    ['未时', about(14, 0)],
    ['寅时', about(4, 0)],
    ['早子时', about(0, 30)],
    ['晚子时', about(23, 30)],
    ['', undefined],
    ['不知道', undefined],
    ['不知道几点', undefined],
    ['不清楚具体时间', undefined],
    ['时辰不记得了', undefined],
    ['忘了是几点', undefined],
    ['unknown', undefined],
  ])('is read of %s', (text, time) => {
    expect(readBirthTime(text)).toEqual(time)
  })

  it.each(['大概傍晚', '傍晚', '凌晨的时候', '早上八九点', '中午', 'in the evening'])(
    'is asked for nearer than %s, or not at all',
    (text) => {
      expect(() => readBirthTime(text)).toThrow(/about which hour.*or leave it empty/)
    },
  )

  it.each([
    '25:00',
    '晚上十二点',
    '两点半',
    '十二点半',
    '12点',
    '半夜五点',
    '夜里六点',
    '中午九点',
    '14:60',
    '13:00 pm',
    '14',
    'noonish',
    '下午',
    '十点六十分',
    'x'.repeat(41),
  ])('is not read of %s', (text) => {
    expect(() => readBirthTime(text)).toThrow('birthTime')
  })

  it('is always one that a clock shows', () => {
    const letters = fc.constantFrom(...Array.from('早晚上下午夜凌晨半点时分刻十一二两零0123456789: apm子未'))
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 40 }), (text) => {
        const time = timeIn(text)
        if (!time) return
        expect(time.hour).toBeGreaterThanOrEqual(0)
        expect(time.hour).toBeLessThanOrEqual(23)
        expect(time.minute).toBeGreaterThanOrEqual(0)
        expect(time.minute).toBeLessThanOrEqual(59)
      }),
      { numRuns: 2000 },
    )
  })
})
