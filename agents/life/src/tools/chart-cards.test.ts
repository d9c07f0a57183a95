import { describe, expect, it } from 'vitest'

import type { Birth } from '../birth/birth.ts'
import { chartOf } from '../chart/chart-of.ts'
import { languages } from '../language.ts'
import { hourUnknown, inSummerTime, person } from './charts.fixture.ts'
import { findChartPattern } from './chart-pattern.ts'
import { showBaziChartTool } from './show-bazi-chart-tool.ts'
import { showBaziFortuneTool } from './show-bazi-fortune-tool.ts'
import { showBaziKlineTool } from './show-bazi-kline-tool.ts'
import { show } from './tools.fixture.ts'

const now = (): Date => new Date('2026-11-22T20:00:00Z')
const chartOfHers = showBaziChartTool(person(inSummerTime))

describe('without birth data', () => {
  const emptyProfiles = person()
  const tools = [
    showBaziChartTool(emptyProfiles),
    showBaziFortuneTool(emptyProfiles, now),
    showBaziKlineTool(emptyProfiles, now),
  ]

  it.each(tools.flatMap((tool) => languages.map((language) => ({ tool, language, name: tool.name }))))(
    '$name asks for it in $language, and shows nothing',
    async ({ tool, language }) => {
      const { text, error, ...card } = await show(tool, {}, language)

      expect(card).toEqual({
        status: 'error',
        cardType: 'need_info',
        need_info: 'birth',
        needInfo: 'birth',
      })
      expect(error).toBe(text)
      expect(text).toContain(language === 'zh' ? '出生信息' : 'birth data')
    },
  )
})

describe('the chart', () => {
  it('has the names that pages know, and all of it under chart', async () => {
    const card = await show(chartOfHers, {}, 'zh')

    expect(card).toMatchObject({
      status: 'success',
      cardType: 'bazi_chart',
      userId: 'ada',
      birthInfo: { date: '1988-07-01', time: '15:30', gender: 'female', place: '成都' },
      fourPillars: {
        year: { name: '戊辰' },
        month: { name: '戊午' },
        day: { name: '丁巳' },
        hour: { name: '丁未' },
      },
      dayMaster: { stem: '丁', element: '火', polarity: '阴' },
      tenGods: { year: '伤官', month: '伤官', day: '日主', hour: '比肩' },
      fiveElements: { missing: ['木', '金', '水'] },
      pattern: { name: '建禄格', by: '比肩', isInterpretation: true },
    })
    expect(card['chart']).toEqual(JSON.parse(JSON.stringify(chartOf(inSummerTime))))
  })

  it.each([
    [
      'zh',
      [
        '年柱 戊辰',
        '丁（阴火）',
        '建禄格',
        '夏令时 60 分钟已减去',
        '时柱为戊申',
        '23:00 起算第二天',
        '不是科学',
      ],
    ],
    [
      'en',
      [
        'Wu-Chen (戊辰)',
        'Ding (yin fire)',
        'lunar 1988-05-18',
        'Established Livelihood',
        '60 minutes of summer time are taken off',
        'the hour pillar is Wu-Shen (戊申)',
        'a new day begins at 23:00',
        'not science',
      ],
    ],
  ] as const)('is read aloud in %s with its numbers, its doubts and its rules', async (language, parts) => {
    const { text, warnings, assumptions } = await show(chartOfHers, {}, language)

    for (const part of parts) expect(text).toContain(part)
    for (const { text: assumption } of warnings as { text: string }[]) expect(text).toContain(assumption)
    for (const assumption of assumptions as string[]) expect(text).toContain(assumption)
    for (const { name, startYear } of chartOf(inSummerTime).luck.cycles) {
      expect(text).toContain(name)
      expect(text).toContain(String(startYear))
    }
  })

  it.each(languages)('is shorter in %s without details, and keeps its warnings', async (language) => {
    const [long, short] = [
      await show(chartOfHers, {}, language),
      await show(chartOfHers, { show_details: false }, language),
    ]

    expect(short.text.length).toBeLessThan(long.text.length)
    expect(short.text).not.toContain('天上火')
    expect(short).toMatchObject({ showDetails: false, warnings: long['warnings'], chart: long['chart'] })
  })

  it.each([
    ['zh', '时辰不详', '不知道出生时辰'],
    ['en', 'hour unknown', 'The hour of birth is not known'],
  ] as const)('has three pillars in %s where the hour is not known', async (language, ...parts) => {
    const card = await show(showBaziChartTool(person(hourUnknown)), {}, language)

    expect(card).toMatchObject({
      fourPillars: { hour: null },
      tenGods: { hour: null },
      birthInfo: { time: null },
    })
    for (const part of parts) expect(card.text).toContain(part)
    expect(card.text).not.toMatch(/时柱|hour pillar/)
  })

  it.each([
    [{ trueSolarTime: true }, '日柱和时柱按真太阳时', 'Day and hour go by true solar time'],
    [{ dayBoundary: '00:00' }, '零点换日', 'a new day begins at midnight'],
  ] as const)('says by which choice it was found: %j', async (choice, zh, en) => {
    const birth: Birth = { ...inSummerTime, options: { ...inSummerTime.options, ...choice } }
    const tool = showBaziChartTool(person(birth))

    expect((await show(tool, {}, 'zh')).text).toContain(zh)
    expect((await show(tool, {}, 'en')).text).toContain(en)
  })

  it.each([
    ['2005-12-23', '食神格', 'Eating God'],
    ['1990-05-15', '七杀格', 'Seven Killings'],
    ['1983-02-15', '建禄格', 'Established Livelihood'],
    // 戊 in 丑: its own kind, and neither its livelihood nor its blade; so is 戊 in 辰, and 乙 in 寅, as yin stems have no
    // blade.
    ['1992-02-02', '月劫格', 'Month of Own Kind'],
    ['1984-04-14', '月劫格', 'Month of Own Kind'],
    ['1984-02-11', '月劫格', 'Month of Own Kind'],
    // 甲 in 卯, 壬 in 子.
    ['1984-03-11', '羊刃格', 'Goat Blade'],
    ['1984-12-14', '羊刃格', 'Goat Blade'],
  ])('of %s has the pattern %s, by the month branch alone', (day, name, english) => {
    const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
    const birth: Birth = { ...hourUnknown, date: { calendar: 'solar', year, month, day: date } }

    expect(findChartPattern(chartOf(birth))).toMatchObject({ name, english })
  })
})

describe('a year', () => {
  const tool = showBaziFortuneTool(person(inSummerTime), now)

  it.each([
    ['zh', ['2026 年，流年丙午', '劫财', '2026-02-04 04:02', '乙卯', '流月', '庚寅月', '解读，不是预言']],
    [
      'en',
      [
        'The year 2026, Bing-Wu (丙午)',
        'Rob Wealth',
        '2026-02-04 04:02',
        'Yi-Mao',
        'Geng-Yin',
        'not predictions',
      ],
    ],
  ] as const)('is this year in %s unless another is said', async (language, parts) => {
    const card = await show(tool, {}, language)

    expect(card).toMatchObject({
      cardType: 'bazi_fortune',
      year: 2026,
      pillar: '丙午',
      tenGod: '劫财',
      past: [],
    })
    expect(card['months']).toHaveLength(12)
    expect((card['themes'] as { area: string }[]).map(({ area }) => area)).toEqual([
      'career',
      'relationship',
      'energy',
      'self',
    ])
    for (const part of parts) expect(card.text).toContain(part)
  })

  it('goes by the user’s own zone for what this year is, and for its dates', async () => {
    const newYear = (): Date => new Date('2026-12-31T20:00:00Z')
    const inZone = (timeZone: string) =>
      show(showBaziFortuneTool(person(inSummerTime), newYear), {}, 'en', {
        context: { language: 'en', timeZone },
      })

    expect(await inZone('Asia/Shanghai')).toMatchObject({ year: 2027, zone: 'Asia/Shanghai' })
    const there = await inZone('America/New_York')
    expect(there).toMatchObject({ year: 2026, zone: 'America/New_York' })
    expect(there.text).toContain('2026-02-03 15:02')
  })

  it('says by which year an age goes: who is born before 立春 is older before the pillar’s year ends', async () => {
    const january: Birth = { ...hourUnknown, date: { calendar: 'solar', year: 1990, month: 1, day: 15 } }
    const of1990 = showBaziFortuneTool(person(january), now)
    expect((await show(of1990, {}, 'zh')).text).toContain('公历 2026 年内满 36 岁')
    expect((await show(of1990, {}, 'en')).text).toContain('age 36 is reached within the calendar’s 2026')
  })

  it('looks back three years where it is asked to, and refuses what is no year', async () => {
    const { past, text } = await show(tool, { year: 2030, include_past: true }, 'zh')

    expect((past as { year: number }[]).map(({ year }) => year)).toEqual([2027, 2028, 2029])
    expect(text).toContain('回头看：2027 丁未')
    await expect(show(tool, { year: 3000 }, 'zh')).rejects.toThrow('year: must be a whole number')
  })
})

describe('the line of years', () => {
  const tool = showBaziKlineTool(person(inSummerTime), now)

  it.each([
    ['zh', '不是吉凶好坏，也不预言任何事情', '以 50 为中线'],
    ['en', 'It is not good or bad luck', 'From a middle of 50'],
  ] as const)(
    'is the first eighty years in %s, says what a score is, and how it is found',
    async (language, ...parts) => {
      const card = await show(tool, {}, language)
      const points = card['points'] as { year: number; score: number }[]

      expect(card).toMatchObject({ cardType: 'bazi_kline', startYear: 1988, endYear: 2067, thisYear: 2026 })
      expect(points).toHaveLength(80)
      for (const { year, score } of points) expect(card.text).toContain(`${year} ${score}`)
      for (const part of parts) expect(card.text).toContain(part)
    },
  )

  it('takes one end or both, and refuses more than a hundred years by the field’s name', async () => {
    expect(await show(tool, { end_year: 1990 }, 'en')).toMatchObject({ startYear: 1988, endYear: 1990 })
    expect(await show(tool, { start_year: 2020 }, 'en')).toMatchObject({ endYear: 2099 })
    await expect(show(tool, { start_year: 2000, end_year: 2100 }, 'en')).rejects.toThrow(
      'end_year: at most 100',
    )
  })
})
