import { describe, expect, it } from 'vitest'

import { toolResult } from 'dragoman/agents'
import { toToolResult } from './to-tool-result.ts'

const words = (text: string) => ({ type: 'text', text }) as const

describe('what a tool of a server gives', () => {
  it('is cut where it is too long, with a word of it', () => {
    const { text, output } = toToolResult({ content: [words('x'.repeat(99_998)), words('😀y')] })

    expect(text.slice(-32)).toBe('x\n\n[cut here: 3 more characters]')
    expect(output).toBe(text)
  })

  it('is its data, and reads as that where it says nothing', () => {
    expect(toToolResult({ content: [], structuredContent: { a: 1 } })).toEqual(
      toolResult({
        output: { a: 1 },
        text: '{"a":1}',
      }),
    )
  })

  it('is no data where that is too large', () => {
    const { output } = toToolResult({
      content: [words('much')],
      structuredContent: { a: 'x'.repeat(200_000) },
    })

    expect(output).toBe('much')
  })

  it('names pictures, sounds and resources; small ones go along', () => {
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

  it('is a failure in its words, where it says that it failed', () => {
    expect(() => toToolResult({ content: [words('no such city')], isError: true })).toThrow('no such city')
    expect(() => toToolResult({ content: [], isError: true })).toThrow(
      'The tool failed, and does not say why.',
    )
  })
})
