import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { birthAt } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'
import { branches, elements, stems, tenGods } from './chart.ts'
import { inEnglish, inSeason, pillarFromEnglish } from './english-names.ts'

describe('a name in English', () => {
  it.each([
    ['甲', 'Jia (yang wood)'],
    ['己', 'Ji (yin earth)'],
    ['子', 'Zi (rat)'],
    ['己卯', 'Ji-Mao'],
    ['正官', 'Direct Officer'],
    ['日主', 'Day Master'],
    ['海中金', 'Gold in the Sea'],
    ['立春', 'Start of Spring'],
    ['六冲', 'clash'],
    ['临官', 'Taking Office'],
    ['桃花', 'Peach Blossom'],
    ['牛', 'ox'],
    ['什么', '什么'],
  ])('of %s is %s', (name, english) => {
    expect(inEnglish(name)).toBe(english)
  })

  it('is there for whatever a chart names', () => {
    const births = fc
      .date({ min: new Date('1900-01-02'), max: new Date('2100-12-30'), noInvalidDate: true })
      .map((date) => birthAt(date.toISOString().slice(0, 16).replace('T', ' ')))
    fc.assert(
      fc.property(births, (birth) => {
        const { pillars, zodiac, origins, relations, stars, luck, terms } = chartOf(birth)
        const { year, month, day, hour } = pillars
        const named = [
          ...[year, month, day, hour].flatMap((pillar) =>
            pillar ? [pillar.name, pillar.tenGod, pillar.sound, pillar.phase, pillar.ownPhase] : [],
          ),
          zodiac,
          ...Object.values(origins),
          terms.before.name,
          terms.after.name,
          ...relations.map(({ kind }) => kind),
          ...stars.map(({ name }) => name),
          ...luck.cycles.map(({ name }) => name),
        ]
        expect(named.filter((name) => /\p{Script=Han}/u.test(inEnglish(name)))).toEqual([])
      }),
    )
  })

  it('is there for each of the small alphabets', () => {
    const all = [...stems, ...branches, ...elements, ...tenGods, '旺', '相', '休', '囚']

    expect(all.filter((name) => /\p{Script=Han}/u.test(inEnglish(name)))).toEqual([])
    expect(inSeason('死')).toBe('dormant')
  })
})

describe('a pillar named in English', () => {
  it('is found however it is written, and each has its own name', () => {
    const sixty = Array.from({ length: 60 }, (_, index) => `${stems[index % 10]}${branches[index % 12]}`)

    expect(sixty.map((name) => pillarFromEnglish(inEnglish(name)))).toEqual(sixty)
    expect(sixty.map((name) => pillarFromEnglish(inEnglish(name).replace('-', ' ').toUpperCase()))).toEqual(
      sixty,
    )
    expect(new Set(sixty.map(inEnglish)).size).toBe(60)
  })

  it.each(['', 'Jia', 'Zi', 'Jia-Zi-Wu', 'Monday', 'Ji-Ji'])('is not %j', (words) => {
    expect(pillarFromEnglish(words)).toBeUndefined()
  })
})
