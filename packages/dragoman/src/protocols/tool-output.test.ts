import { describe, expect, it } from 'vitest'

import type { Json } from '../events/index.ts'
import { toToolText } from './tool-output.ts'

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
