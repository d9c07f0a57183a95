import * as fc from 'fast-check'
import { I18n, Solar, type EightChar } from 'lunar-typescript'
import { describe, expect, it } from 'vitest'

import type { Birth } from '../birth/birth.ts'
import { chartOf } from './chart-of.ts'
import type { Chart, Pillar } from './chart.ts'
import { birthAt } from './birth.fixture.ts'
import { isFull } from '../../../../test/support/is-full.ts'

I18n.setLanguage('chs')

/** A birth by Beijing's clock at any minute of the years that charts reach. */
const births = fc
  .record({
    minute: fc.integer({
      min: Date.UTC(1900, 1, 1) / 60_000,
      max: Date.UTC(2100, 11, 31, 23, 59) / 60_000,
    }),
    gender: fc.constantFrom('male' as const, 'female' as const),
    dayBoundary: fc.constantFrom('23:00' as const, '00:00' as const),
  })
  .map(({ minute, gender, dayBoundary }) =>
    birthAt(new Date(minute * 60_000).toISOString().slice(0, 16).replace('T', ' '), {
      gender,
      options: { dayBoundary },
    }),
  )

type Compared = { readonly same: object; readonly luckAfter: number }

/** In the reckoning of luck a month has thirty days. */
function hoursOf([years = 0, months = 0, days = 0, hours = 0]: readonly number[]): number {
  return ((years * 12 + months) * 30 + days) * 24 + hours
}

function judgeOf({ date, time, gender, options }: Birth): Compared {
  const { year, month, day } = date
  const lunar = Solar.fromYmdHms(year, month, day, time?.hour ?? 0, time?.minute ?? 0, 0).getLunar()
  const eight = lunar.getEightChar()
  eight.setSect(options.dayBoundary === '23:00' ? 1 : 2)
  // It has other names for the last two months.
  const monthName = lunar.getMonthInChinese().replace('冬', '十一').replace('腊', '十二')
  const luck = eight.getYun(gender === 'male' ? 1 : 0, 2)
  return {
    same: {
      pillars: pillarsOfJudge(eight),
      origins: [eight.getTaiYuan(), eight.getTaiXi(), eight.getMingGong(), eight.getShenGong()],
      lunarDate: `${lunar.getYearInChinese()}年${monthName}月${lunar.getDayInChinese()}`,
      forward: luck.isForward(),
      luck: luck
        .getDaYun(11)
        .slice(1)
        .map((cycle) => cycle.getGanZhi()),
    },
    luckAfter: hoursOf([luck.getStartYear(), luck.getStartMonth(), luck.getStartDay(), luck.getStartHour()]),
  }
}

function pillarsOfJudge(eight: EightChar): unknown[] {
  return (['Year', 'Month', 'Day', 'Time'] as const).map((at) => [
    eight[`get${at}`](),
    eight[`get${at}ShiShenGan`](),
    eight[`get${at}HideGan`](),
    eight[`get${at}ShiShenZhi`](),
    eight[`get${at}NaYin`](),
    eight[`get${at}DiShi`](),
    eight[`get${at}XunKong`](),
  ])
}

function pillarOfOurs({ name, tenGod, hidden, sound, phase, voids }: Pillar): unknown[] {
  return [
    name,
    tenGod,
    hidden.map(({ stem }) => stem),
    hidden.map((one) => one.tenGod),
    sound,
    phase,
    voids.join(''),
  ]
}

function ours({ pillars, origins, lunarDate, luck }: Chart): Compared {
  const { year, month, day, hour } = pillars
  const { years, months, days, hours } = luck.after
  return {
    same: {
      pillars: [year, month, day, ...(hour ? [hour] : [])].map(pillarOfOurs),
      origins: [origins.conception, origins.breath, origins.lifePalace, origins.bodyPalace],
      lunarDate,
      forward: luck.forward,
      luck: luck.cycles.map(({ name }) => name),
    },
    luckAfter: hoursOf([years, months, days, hours]),
  }
}

describe('a chart and lunar-typescript’s', () => {
  it('are the same for many births', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(births, (birth) => {
        const chart = ours(chartOf(birth))
        const judge = judgeOf(birth)
        expect(chart.same).toEqual(judge.same)
        // It leaves out the seconds of a term, of which each is two minutes here, and gives whole hours.
        expect(Math.abs(chart.luckAfter - judge.luckAfter)).toBeLessThanOrEqual(3)
      }),
      { numRuns: isFull ? 5000 : 300 },
    )
  })
})
