import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ServiceError } from 'dragoman/errors'
import { parseBirthTime } from './parse-birth-time.ts'
import cases from '../../test/data/births.json' with { type: 'json' }

const timeIn = (text: string) => {
  try {
    return parseBirthTime(text)
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError)
    return undefined
  }
}

describe('a time of day', () => {
  it.each(Object.entries(cases.times))('is read of %s', (text, time) => {
    expect(parseBirthTime(text)).toEqual(time)
  })

  it.each(cases.unknownTimes)('is unknown for %j', (text) => {
    expect(parseBirthTime(text)).toBeUndefined()
  })

  it.each(['大概傍晚', '傍晚', '凌晨的时候', '早上八九点', '中午', 'in the evening'])(
    'is asked for nearer than %s, or not at all',
    (text) => {
      expect(() => parseBirthTime(text)).toThrow(/about which hour.*or leave it empty/)
    },
  )

  it.each([...cases.wrongTimes, 'x'.repeat(41)])('is not read of %s', (text) => {
    expect(() => parseBirthTime(text)).toThrow('birthTime')
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
