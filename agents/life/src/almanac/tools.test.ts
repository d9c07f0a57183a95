import { describe, expect, it } from 'vitest'

import { birthAt } from '../chart/birth.fixture.ts'
import { person } from '../tools/charts.fixture.ts'
import { show } from '../tools/tools.fixture.ts'
import { findDaysTool } from './find-days-tool.ts'
import { showAlmanacTool } from './show-almanac-tool.ts'

/** 庚午 庚辰: the year clashes with days of 子, the day with those of 戌. */
const birth = birthAt('1990-05-15')
const now = (): Date => new Date('2026-01-20T16:30:00Z')

describe('the almanac as a card', () => {
  const tool = showAlmanacTool(person(), now)

  it('is that of the day that it is for the user', async () => {
    expect(await show(tool, {}, 'zh')).toMatchObject({ cardType: 'almanac_card', date: '2026-01-21' })
    expect(
      await show(tool, {}, 'zh', { context: { timeZone: 'America/New_York', language: 'zh' } }),
    ).toMatchObject({ date: '2026-01-20', term: { name: '大寒', startsToday: true } })
  })

  it('is read out in Chinese', async () => {
    const { text } = await show(tool, { date: '2026-01-21' }, 'zh')

    expect(text).toBe(
      [
        '2026年1月21日 星期三，农历乙巳年腊月初三',
        '乙巳年 己丑月 乙未日',
        '节气：大寒，一年最后一个节气，冷到深处，春天就近了。下一个节气是立春，2026年2月4日 星期三',
        '宜：祭祀、破屋、坏垣、解除、馀事勿取',
        '忌：开市、动土、破土',
        '冲牛（丑），煞西；财神方位：东北',
        '值日：破（建除十二值），黑道；星宿：壁',
        '黄历是传统文化，供参考和自省，不是科学结论；怎么安排，你说了算。',
      ].join('\n'),
    )
  })

  it('is read out in English', async () => {
    const { text } = await show(tool, { date: '2026-01-21' }, 'en')

    expect(text.split('\n').slice(0, 4)).toEqual([
      'Wednesday, 21 January 2026; lunar year Yi-Si, month 12, day 3',
      'Year 乙巳 (Yi-Si), month 己丑 (Ji-Chou), day 乙未 (Yi-Wei)',
      'Major Cold (大寒) is the solar term: The last term of the year: beyond the cold, spring is near. Next: Start ' +
        'of Spring (立春), Wednesday, 4 February 2026',
      'Good for (宜): worship, demolishing a house, taking down walls, clearing out the old, little else',
    ])
  })

  it('is there to the last day of its years, whose next term lies beyond them', async () => {
    expect((await show(tool, { date: '2100-12-31' }, 'zh')).text).toContain('下一个节气是小寒，2101年1月5日')
    expect((await show(tool, { date: '2100-12-31' }, 'en')).text).toContain('Wednesday, 5 January 2101')
    expect((await show(tool, { date: '1900-01-01' }, 'zh')).text).toContain('冬至')
  })

  it('is refused for a day that there is not', async () => {
    await expect(show(tool, { date: '2026-02-30' }, 'en')).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'date must be a day written as 2026-01-21, from 1900 to 2100',
    })
  })
})

describe('days for something, as a card', () => {
  it('are told with what speaks for them, in the language', async () => {
    const tool = findDaysTool(person(), now)

    const chinese = await show(tool, { activity: '搬家' }, 'zh')
    const english = await show(tool, { activity: 'moving house' }, 'en')

    expect(chinese).toMatchObject({
      cardType: 'day_list',
      activity: '搬家',
      from: '2026-01-21',
      personal: false,
    })
    expect(chinese.text).toMatch(/^2026-01-21 到 2026-03-21，黄历上适合“搬家”的有 \d+ 天/)
    expect(chinese.text).toContain('没有出生信息')
    expect(english['names']).toEqual(['移徙', '入宅'])
    expect(english.text).toContain('good for moving')
    expect(english.text).not.toMatch(/[\u4e00-\u9fff]{3}/)
    const dates = (card: typeof chinese): unknown =>
      (card['days'] as { date: string }[]).map(({ date }) => date)
    expect(dates(english)).toEqual(dates(chinese))
  })

  it('mark and put last those that clash with the user’s own birth', async () => {
    const card = await show(findDaysTool(person(birth), now), { activity: '祭祀', days: 20 }, 'zh')
    const days = card['days'] as { pillar: string; clashes: boolean; against: string[] }[]

    expect(card['personal']).toBe(true)
    expect(days.filter(({ clashes }) => clashes).length).toBeGreaterThan(0)
    for (const { pillar, clashes } of days) expect(clashes).toBe(/[子戌]$/.test(pillar))
    expect(days.findLastIndex(({ clashes }) => !clashes)).toBeLessThan(
      days.findIndex(({ clashes }) => clashes),
    )
  })

  it('are none where the almanac has none, and that is said', async () => {
    const card = await show(findDaysTool(person(), now), { activity: '嫁娶', days: 1 }, 'zh')

    expect(card['days']).toEqual([])
    expect(card.text).toContain('没有标“结婚”的日子')
  })

  it('are refused for what the almanac does not know, saying what it does', async () => {
    const result = show(findDaysTool(person(), now), { activity: '炒股' }, 'zh')

    await expect(result).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(result).rejects.toThrow('搬家、入职')
  })

  it('are refused beyond the years of the almanac', async () => {
    const result = show(findDaysTool(person(), now), { activity: '出行', from: '2100-12-01', days: 60 }, 'en')

    await expect(result).rejects.toThrow('days: the almanac goes from 1900 to 2100')
  })
})
