import { assert, asyncProperty, constantFrom, integer, record } from 'fast-check'
import { EarthBranch } from 'tyme4ts'
import { describe, expect, it } from 'vitest'

import { branches } from '../chart/chart.ts'
import { activityInEnglish } from './activities.ts'
import { almanacOf } from './almanac-of.ts'
import { addDays, formatDate } from './civil-date.ts'
import { findDays, opposite, partner } from './find-days.ts'
import { dayPurposeLabels, dayPurposeOf } from './day-purposes.ts'
import cases from '../../test/data/almanac.json' with { type: 'json' }

const from = { year: 2026, month: 3, day: 1 }

describe('finding days', () => {
  it('gives just those whose 宜 has it and whose 忌 has not', async () => {
    const names = ['移徙', '入宅']
    const all = Array.from({ length: 90 }, (_, at) => almanacOf(addDays(from, at)))
    const expected = all.filter(
      ({ good, avoid }) =>
        names.some((name) => good.includes(name)) &&
        !names.some((name) => avoid.includes(name)) &&
        ![...good, ...avoid].includes('诸事不宜'),
    )

    const found = await findDays({ names, from, days: 90 })

    expect(found.map(({ day }) => day.date).toSorted()).toEqual(expected.map(({ date }) => date))
    expect(found.length).toBeGreaterThan(10)
  })

  it('puts days that clash with the person last, and says with what', async () => {
    await assert(
      asyncProperty(
        record({ year: constantFrom(...branches), day: constantFrom(...branches) }),
        integer({ min: 0, max: 20_000 }),
        async (natal, days) => {
          const found = await findDays({
            names: ['祭祀', '嫁娶'],
            from: addDays({ year: 1990, month: 1, day: 1 }, days),
            days: 30,
            natal,
          })
          const marks = found.map(({ clashes }) => clashes)

          expect(marks).toEqual(marks.toSorted((a, b) => Number(a) - Number(b)))
          for (const { day, against } of found) {
            expect(against.includes('clash-year')).toBe(day.clash.branch === natal.year)
            expect(against.includes('clash-day')).toBe(day.clash.branch === natal.day)
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  it('prefers a day that has more for it, and then the sooner', async () => {
    const [first, second] = await findDays({ names: ['嫁娶'], from, days: 60 })

    expect(first?.for).toEqual(expect.arrayContaining(['bright', 'duty']))
    expect(first?.against).toEqual([])
    expect(first?.day.pillars.day.name).not.toBe(second?.day.pillars.day.name)
  })

  it('finds none where there is none', async () => {
    expect(await findDays({ names: ['嫁娶'], from, days: 0 })).toEqual([])
  })

  it('knows which branches clash and which unite as the library does', () => {
    for (const branch of branches) {
      expect(opposite(branch)).toBe(EarthBranch.fromName(branch).getOpposite().getName())
      expect(partner(branch)).toBe(EarthBranch.fromName(branch).getCombine().getName())
    }
  })
})

describe('what somebody wants a day for', () => {
  it.each(Object.entries(cases.purposes))('%j is %j', (words, names) => {
    expect(dayPurposeOf(words)?.names).toEqual(names)
  })

  it.each(['education', '哪种日子打官司好', '股票', '诸事不宜', 'little else', ''])(
    '%j is nothing that it has days for',
    (words) => {
      expect(dayPurposeOf(words)).toBeUndefined()
    },
  )

  it('is known by what a refusal says that there is', () => {
    for (const { zh, en } of dayPurposeLabels)
      expect([zh, dayPurposeOf(en)?.names.toSorted()]).toEqual([zh, dayPurposeOf(zh)?.names.toSorted()])
  })

  it('is one that comes up within half a year, whichever it is', async () => {
    for (const { zh } of dayPurposeLabels) {
      const names = dayPurposeOf(zh)?.names ?? []

      expect(names.map(activityInEnglish)).not.toEqual([])
      expect([zh, (await findDays({ names, from, days: 180 })).length > 0]).toEqual([zh, true])
    }
  })

  it('is found for half a year at once', async () => {
    const days = await findDays({ names: ['出行'], from, days: 500 })

    expect(days.every(({ day }) => day.date <= formatDate(addDays(from, 179)))).toBe(true)
  })
})
