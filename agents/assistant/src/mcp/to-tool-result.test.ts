import { describe, expect, it } from 'vitest'

import { toolResult } from 'dragoman/agents'
import { toToolResult } from './to-tool-result.ts'

const words = (text: string) => ({ type: 'text', text }) as const

describe('toToolResult', () => {
  it('truncates a long text and says so', () => {
    const { text, output } = toToolResult({ content: [words('x'.repeat(99_998)), words('😀y')] })

    expect(text.slice(-32)).toBe('x\n\n[cut here: 3 more characters]')
    expect(output).toBe(text)
  })

  it('returns structured data, and uses it as the text if there is no text', () => {
    expect(toToolResult({ content: [], structuredContent: { a: 1 } })).toEqual(
      toolResult({
        output: { a: 1 },
        text: '{"a":1}',
      }),
    )
  })

  it('drops structured data that is too large', () => {
    const { output } = toToolResult({
      content: [words('much')],
      structuredContent: { a: 'x'.repeat(200_000) },
    })

    expect(output).toBe('much')
  })

  it('names images, audio and resources, and includes small ones', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const large = { type: 'audio', mimeType: 'audio/wav', data: 'A'.repeat(300_000) } as const
    const resource = { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } } as const

    expect(toToolResult({ content: [image, large, resource] })).toMatchObject({
      text: '[image: image/png, 3 bytes]\n[audio: audio/wav, 220 KB]\n[resource: file:///a.txt]\ninside',
      output: {
        content: [image, words('[audio: audio/wav, 220 KB]'), words('[resource: file:///a.txt]\ninside')],
      },
    })
  })

  it('throws the text of a failed tool', () => {
    expect(() => toToolResult({ content: [words('no such city')], isError: true })).toThrow('no such city')
    expect(() => toToolResult({ content: [], isError: true })).toThrow(
      'The tool failed, and does not say why.',
    )
  })
})
