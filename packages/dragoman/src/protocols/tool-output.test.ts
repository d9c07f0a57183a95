import { describe, expect, it } from 'vitest'

import type { Answer, Json } from '../events/index.ts'
import { toToolOutput, toToolText } from './tool-output.ts'

describe('toToolOutput', () => {
  it.each<[Json, string, Json]>([
    [{ total: 2 }, 'Two.', { text: 'Two.', data: { total: 2 } }],
    [{ cardType: 'bazi_chart', text: '甲子' }, '甲子', { cardType: 'bazi_chart', text: '甲子' }],
    [{ cardType: 'skill_switch', text: '八字' }, '…', { cardType: 'skill_switch', text: '八字' }],
    [{ text: 'Another.' }, 'Words.', { text: 'Words.', data: { text: 'Another.' } }],
    [null, 'Words.', 'Words.'],
    ['Words.', 'Words.', 'Words.'],
  ])('converts %j with the text %j to %j', (output, text, expected) => {
    expect(toToolOutput(output, text)).toEqual(expected)
  })
})

describe('toToolOutput of a client tool', () => {
  it.each<Json>([{ ok: 1 }, { cardType: 'map', text: 'A map.' }, [1, 2], null, 'Words.', 5, false])(
    'returns %j unchanged',
    (output) => {
      const answer: Answer = { kind: 'output', output }
      const text = typeof output === 'string' ? output : JSON.stringify(output)

      expect(toToolOutput(output, text, answer)).toEqual(output)
    },
  )

  it("returns the tool's own output after an approval", () => {
    const answer: Answer = { kind: 'approval', approved: true }

    expect(toToolOutput({ total: 2 }, 'Two.', answer)).toEqual({ text: 'Two.', data: { total: 2 } })
  })
})

describe('toToolText', () => {
  it.each<[Json, string, string]>([
    [{ cardType: 'bazi_chart', text: '甲子' }, '甲子', '{"cardType":"bazi_chart","text":"甲子"}'],
    [{ total: 2 }, 'Two.', 'Two.'],
    [{ cardType: 'bazi_chart' }, 'Words.', 'Words.'],
    [null, 'Words.', 'Words.'],
  ])('converts %j with the text %j to %j', (output, text, expected) => {
    expect(toToolText(output, text)).toBe(expected)
  })
})
