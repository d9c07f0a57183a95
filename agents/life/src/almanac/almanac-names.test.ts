import { Direction, Duty, LunarFestival, SolarFestival, SolarTerm, Taboo, TwentyEightStar } from 'tyme4ts'
import { describe, expect, it } from 'vitest'

import { activityInEnglish, activityNames } from './activities.ts'
import { longDate, nameIn, termDescription } from './almanac-names.ts'

const chinese = /\p{Script=Han}/u

describe('the English words of the almanac', () => {
  it('have one for each activity that the library knows, and for nothing else', () => {
    expect(activityNames.toSorted()).toEqual(Taboo.NAMES.toSorted())
    expect(activityNames.map(activityInEnglish).filter((word) => chinese.test(word))).toEqual([])
  })

  it('tell the activities apart', () => {
    const words = activityNames.map(activityInEnglish)

    expect(new Set(words).size).toBe(words.length)
  })

  it.each([
    ['duty', Duty.NAMES],
    ['mansion', TwentyEightStar.NAMES],
    ['direction', Direction.NAMES],
    ['festival', [...LunarFestival.NAMES, ...SolarFestival.NAMES]],
  ] as const)('have one for each %s', (kind, names) => {
    expect(names.filter((name) => chinese.test(nameIn('en', kind, name)))).toEqual([])
    expect(names.map((name) => nameIn('zh', kind, name))).toEqual(names)
  })

  it('describe each solar term in a line in both languages', () => {
    for (const term of SolarTerm.NAMES) {
      expect(termDescription(term, 'zh')).toMatch(chinese)
      expect(termDescription(term, 'en')).toMatch(/^[^\p{Script=Han}]{1,79}$/u)
    }
  })

  it('write a date as a reader of the language does', () => {
    expect(longDate({ year: 2026, month: 1, day: 21 })).toEqual({
      zh: '2026年1月21日 星期三',
      en: 'Wednesday, 21 January 2026',
    })
  })
})
