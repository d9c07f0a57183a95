import { describe, expect, it } from 'vitest'

import type { Json } from 'dragoman/events'
import { usualOptions, type Birth } from '../birth/birth.ts'
import { person } from '../tools/charts.fixture.ts'
import { careGuardrail } from './care-guardrail.ts'
import { isMinor } from './minors.ts'

const now = () => new Date('2026-11-24T00:00:00Z')
const born = (year: number, calendar: 'solar' | 'lunar' = 'solar', month = 5): Birth => ({
  date: { calendar, year, month, day: 15 },
  gender: 'female',
  options: usualOptions,
})

async function answer(words: string, { context = {}, birth }: { context?: Json; birth?: Birth } = {}) {
  const message = [{ type: 'text', text: words }] as const
  return (await careGuardrail(person(birth), now)({ userId: 'ada', context, message }))?.text
}

describe('the life agent’s guardrail', () => {
  it.each([
    [{ timeZone: 'Asia/Taipei' }, '1925'],
    [{ forwardedProps: { timeZone: 'Europe/London' } }, '116 123'],
    [{}, '12356'],
  ])('names help lines for the place of %j', async (context, line) => {
    expect(await answer('我想死', { context })).toContain(line)
  })

  it.each([
    ['我不想活了', '12356'],
    ['最近总是想死，看看我的八字', '12356'],
    ['I want to kill myself', '988'],
    ['show me my chart, there is no reason to live', '988'],
  ])('names a help line for %j, whatever else it asks for', async (words, line) => {
    expect(await answer(words)).toContain(line)
  })

  it.each([
    '从八字看我今年会死吗',
    '帮我看看我什么时候死',
    '我能活到几岁？',
    '看看我的阳寿',
    'when will I die according to my chart?',
    'how long will I live',
    'will I die this year?',
  ])('gives no reading of death for %j', async (words) => {
    expect(await answer(words)).toMatch(/没有哪张命盘|No chart tells/)
  })

  it.each([
    '我今年13岁，想看八字恋爱运',
    '我才十五岁，帮我算算桃花',
    '我是初中生，看看我和他八字合不合',
    '我未成年，想算姻緣',
    '我2013年5月1日生，女，看看桃花运',
    'I was born on 1 May 2013, show me my love fortune',
    "I'm 13, can you do a love reading?",
    'I am a high schooler, when will I find love?',
    "I'm sixteen. Read my chart for romance",
  ])('gives no reading of love to a minor for %j', async (words) => {
    expect(await answer(words)).toMatch(/不到 18 岁|under 18/)
  })

  it.each(['看看我的桃花运', 'show me my love fortune'])(
    'knows a minor by the profile: %j',
    async (words) => {
      expect(await answer(words, { birth: born(2012) })).toMatch(/不到 18 岁|under 18/)
      expect(await answer(words, { birth: born(1990) })).toBeUndefined()
    },
  )

  it.each([
    '看看我的八字',
    '我今年23岁，想看八字恋爱运',
    '我13岁的时候父母离婚了，看看我的八字',
    '我女儿13岁，看看我的婚姻',
    '我女儿2013年生，看看我的婚姻',
    '看看2026年的桃花运',
    '我1990年5月15日生，看看2026年的桃花运',
    '我13岁，暗恋同桌，好难过',
    '电池寿命多长',
    '手机什么时候死机的',
    '今天宜忌什么',
    'I am 13 years into my marriage, show me my chart',
    'I love hiking, show me my chart',
    'I met him when I was 15; show me my love luck',
    '',
  ])('lets %j pass', async (words) => {
    expect(await answer(words)).toBeUndefined()
  })

  it('counts the day on which somebody turns 18', () => {
    const date = { calendar: 'solar', year: 2008, month: 11, day: 24 } as const

    expect(isMinor({ date }, now())).toBe(false)
    expect(isMinor({ date: { ...date, day: 25 } }, now())).toBe(true)
    expect(isMinor(born(2008, 'lunar', 10), now())).toBe(true)
  })
})
