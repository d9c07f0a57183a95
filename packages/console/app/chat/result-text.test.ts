import { describe, expect, it } from 'vitest'

import { resultText } from './result-text.ts'

const words = (text: string) => ({ type: 'text', text })

describe('resultText', () => {
  it('is the text of a result of MCP that has nothing else', () => {
    expect(resultText({ content: [words('a'), words('b')], _meta: { x: 1 } })).toBe('a\nb')
  })

  it.each([
    'a',
    7,
    null,
    [1],
    { content: 'a' },
    { content: [] },
    { content: ['a'] },
    { content: [words('{"n":1}')], structuredContent: { n: 1 } },
    { content: [words('a'), { type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
  ])('leaves %j as it is', (value) => {
    expect(resultText(value)).toBe(value)
  })
})
