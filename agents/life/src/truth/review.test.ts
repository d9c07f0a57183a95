import { describe, expect, it } from 'vitest'

import type { AssistantMessage, Json } from 'dragoman/events'
import type { Birth } from '../birth/birth.ts'
import { birthAt } from '../chart/birth.fixture.ts'
import { chartOf } from '../chart/chart-of.ts'
import type { Profiles } from '../profile/profile.ts'
import { pairCard } from '../tools/pair-card.ts'
import { reviewing } from './review.ts'

type Part = AssistantMessage['parts'][number]

const birth = birthAt('1990-05-15 14:30')
const friend = birthAt('1998-07-31 14:10')

const text = (words: string): Part => ({ type: 'text', partId: 't', text: words, open: false })

function card(of: Birth, more: Record<string, Json> = {}): Part {
  const chart = JSON.parse(JSON.stringify(chartOf(of))) as Json
  return {
    type: 'tool',
    callId: 'c',
    tool: 'show_bazi_chart',
    state: 'returned',
    inputText: '{}',
    output: { status: 'success', cardType: 'bazi_chart', chart, ...more },
  }
}

/** What is said of an answer to somebody with that birth in their profile. */
function reviewed(parts: readonly Part[], known?: Birth): Promise<string | undefined> {
  const profile = { preferences: { memory: true }, told: {}, ...(known && { birth: known }) }
  const profiles: Profiles = {
    get: async () => profile,
    change: async () => profile,
    remove: async () => undefined,
  }
  return reviewing(profiles)({
    userId: 'ada',
    conversation: 'conv_test',
    context: {},
    said: { role: 'assistant', id: 'msg_test', status: 'streaming', parts },
    signal: new AbortController().signal,
  })
}

describe('an answer', () => {
  it('that names another pillar than the card is put right', async () => {
    const note = await reviewed([card(birth), text('你的日柱是己卯，日主己土。年柱是庚午。')])

    expect(note).toContain('- You named 己卯 (Ji-Mao) as the day pillar (日柱); it is 庚辰 (Geng-Chen).')
    expect(note).toContain(
      '- You named 己 (Ji (yin earth)) as the day master (日主); it is 庚 (Geng (yang metal)).',
    )
    expect(note).not.toContain('年柱')
    expect(note).toContain('in one or two sentences, in their language, and nothing else')
  })

  it('that names another sign of a pillar is put right', async () => {
    const note = await reviewed([card(birth), text('你是丙火，月令子水，日支辰土，年干甲。')])

    expect(note?.split('\n').slice(1, -1)).toEqual([
      '- You named 丙 (Bing (yang fire)) as the day master (日主); it is 庚 (Geng (yang metal)).',
      '- You named 甲 (Jia (yang wood)) as the year stem (年干); it is 庚 (Geng (yang metal)).',
      '- You named 子 (Zi (rat)) as the month branch (月支); it is 巳 (Si (snake)).',
    ])
  })

  it('is held against the profile where no card was shown', async () => {
    const wrong = [text('Your day pillar is Ji-Mao.')]

    expect(await reviewed(wrong, birth)).toContain('it is 庚辰 (Geng-Chen)')
    expect(await reviewed([text('Your day pillar is Geng-Chen.')], birth)).toBeUndefined()
    expect(await reviewed(wrong)).toBeUndefined()
  })

  it('that makes up an hour is told that there is none', async () => {
    const note = await reviewed([card(birthAt('1990-05-15')), text('你的时柱是癸未。')])

    expect(note).toContain('the hour of birth is not known, so that there is none')
  })

  it('may name what the chart tells of as an alternative', async () => {
    const late = birthAt('1988-02-15 23:30')

    expect(await reviewed([card(late), text('日柱：辛丑\n按另一派，日柱：庚子')])).toBeUndefined()
    expect(await reviewed([card(late), text('日柱：壬寅')])).toContain('it is 辛丑')
  })

  it('may name the pillars of somebody else whose chart was shown', async () => {
    const cards = [card(birth), card(friend, { name: '小李' })]

    expect(await reviewed([...cards, text('小李的日柱是己卯。')])).toBeUndefined()
    expect(await reviewed([...cards, text('你的日柱是甲子。')])).toContain('it is 庚辰')
  })

  it('may name both of two charts that were laid side by side', async () => {
    const asked = { birth, other: friend, userId: 'ada', name: '小李', language: 'zh' as const }
    const { output } = pairCard(asked)
    const pair: Part = {
      type: 'tool',
      callId: 'c',
      tool: 'show_relationship',
      state: 'returned',
      inputText: '{}',
      output,
    }

    expect(await reviewed([pair, text('日柱己卯与日柱庚辰相邻。')])).toBeUndefined()
    expect(await reviewed([pair, text('你的日柱是甲子。')])).toContain('it is 庚辰')
  })

  it('is left alone where two charts were shown, and nobody knows which was meant', async () => {
    expect(await reviewed([card(birth), card(friend), text('你的日柱是甲子。')])).toBeUndefined()
  })

  it('is looked at from the last tool on', async () => {
    expect(
      await reviewed([text('你的日柱是甲子。'), card(birth), text('看看上面的卡片吧。')]),
    ).toBeUndefined()
  })

  it('of other things is left alone', async () => {
    for (const words of ['你好！', '今年丙午，宜静。', '2026年的年柱是丙午。', 'Good morning.']) {
      expect(await reviewed([card(birth), text(words)], birth)).toBeUndefined()
    }
  })
})
