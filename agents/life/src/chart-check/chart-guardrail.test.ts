import { describe, expect, it } from 'vitest'

import type { AssistantMessage, Json } from 'dragoman/events'
import type { Birth } from '../birth/birth.ts'
import { birthAt } from '../chart/birth.fixture.ts'
import { chartOf } from '../chart/chart-of.ts'
import { person } from '../tools/charts.fixture.ts'
import { pairCard } from '../tools/pair-card.ts'
import { chartGuardrail } from './chart-guardrail.ts'

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

/** The correction request for an answer to a user whose profile has the birth. */
function check(parts: readonly Part[], profileBirth?: Birth): Promise<string | undefined> {
  return chartGuardrail(person(profileBirth))({
    userId: 'ada',
    threadId: 'conv_test',
    context: {},
    answer: { role: 'assistant', id: 'msg_test', status: 'streaming', parts },
    signal: new AbortController().signal,
  })
}

describe('chartGuardrail', () => {
  it('corrects pillars that differ from the card', async () => {
    const note = await check([card(birth), text('你的日柱是己卯，日主己土。你的年柱是庚午。')])

    expect(note).toContain('- You named 己卯 (Ji-Mao) as the day pillar (日柱); it is 庚辰 (Geng-Chen).')
    expect(note).toContain(
      '- You named 己 (Ji (yin earth)) as the day master (日主); it is 庚 (Geng (yang metal)).',
    )
    expect(note).not.toContain('年柱')
    expect(note).toContain('in one or two sentences, in their language, and nothing else')
  })

  it('checks against the profile if the run shows no chart', async () => {
    const wrong = [text('Your day pillar is Ji-Mao.')]

    expect(await check(wrong, birth)).toContain('it is 庚辰 (Geng-Chen)')
    expect(await check([text('Your day pillar is Geng-Chen.')], birth)).toBeUndefined()
    expect(await check(wrong)).toBeUndefined()
  })

  it('corrects an hour pillar if the hour of birth is unknown', async () => {
    const note = await check([card(birthAt('1990-05-15')), text('你的时柱是癸未。')])

    expect(note).toContain('the hour of birth is not known, so that there is none')
  })

  it('accepts the alternative that the chart warns of', async () => {
    const late = birthAt('1988-02-15 23:30')

    expect(await check([card(late), text('你的日柱：辛丑\n按另一派，日柱：庚子')])).toBeUndefined()
    expect(await check([card(late), text('你的日柱：壬寅')])).toContain('it is 辛丑')
  })

  it('accepts the pillars of another person whose chart was shown', async () => {
    const cards = [card(birth), card(friend, { name: '小李' })]

    expect(await check([...cards, text('你的朋友小李：日柱是己卯。')])).toBeUndefined()
    expect(await check([...cards, text('你的日柱是甲子。')])).toContain('it is 庚辰')
  })

  it('accepts the pillars of both charts of a comparison', async () => {
    const input = { birth, other: friend, userId: 'ada', name: '小李', language: 'zh' as const }
    const { output = null } = pairCard(input)
    const pair: Part = {
      type: 'tool',
      callId: 'c',
      tool: 'show_relationship',
      state: 'returned',
      inputText: '{}',
      output,
    }

    expect(await check([pair, text('你的命盘：日柱己卯与日柱庚辰相邻。')])).toBeUndefined()
    expect(await check([pair, text('你的日柱是甲子。')])).toContain('it is 庚辰')
  })

  it('corrects nothing after two different charts of the user', async () => {
    expect(await check([card(birth), card(friend), text('你的日柱是甲子。')])).toBeUndefined()
  })

  it('checks only the text after the last tool call', async () => {
    expect(await check([text('你的日柱是甲子。'), card(birth), text('看看上面的卡片吧。')])).toBeUndefined()
  })

  it('corrects nothing in other texts', async () => {
    for (const words of ['你好！', '今年丙午，宜静。', '2026年的年柱是丙午。', 'Good morning.']) {
      expect(await check([card(birth), text(words)], birth)).toBeUndefined()
    }
  })
})
