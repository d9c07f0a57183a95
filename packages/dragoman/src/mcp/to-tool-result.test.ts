import { describe, expect, it } from 'vitest'

import { toolResult } from '../agents/index.ts'
import type { Json } from '../events/index.ts'
import { toToolResult } from './to-tool-result.ts'

const words = (text: string) => ({ type: 'text', text }) as const

describe('toToolResult', () => {
  it('truncates a long text and says so', () => {
    const { text, output } = toToolResult({ content: [words('x'.repeat(99_998)), words('😀y')] })

    expect(text.slice(-32)).toBe('x\n\n[cut here: 3 more characters]')
    expect(output).toEqual({ content: [words('x'.repeat(99_998)), words('😀y')] })
  })

  it('returns structured data, and uses it as the text if there is no text', () => {
    const result = { content: [], structuredContent: { a: 1 } }

    expect(toToolResult(result)).toEqual(toolResult({ output: result, text: '{"a":1}' }))
  })

  it('returns structured data that is a text as it is', () => {
    expect(toToolResult({ structuredContent: 'so' })).toMatchObject({
      output: { structuredContent: 'so' },
      text: 'so',
    })
  })

  it.each<[string, Json, string]>([
    ['3 rows', { rows: [1, 2, 3] }, '3 rows\n{"rows":[1,2,3]}'],
    ['{"b": 1,\n"a": 2}', { a: 2, b: 1 }, '{"b": 1,\n"a": 2}'],
    ['so', { result: 'so' }, 'so'],
    ['42', { result: 42 }, '42'],
    ['42', { result: '42' }, '42'],
  ])(
    'tells the model structured data that differs from the text %j: %j',
    (content, structuredContent, text) => {
      expect(toToolResult({ content: [words(content)], structuredContent })).toMatchObject({
        text,
        output: { structuredContent },
      })
    },
  )

  it('reads files from data URLs', () => {
    const url = 'data:image/png;base64,AAAA'
    const blocks = [
      { type: 'image', data: url },
      { type: 'resource', resource: { uri: 'file:///b.zip', mimeType: 'application/zip', blob: url } },
      { type: 'resource', resource: { uri: 'c', mimeType: null, text: null, blob: 'AAAA' } },
    ]

    expect(toToolResult({ content: blocks }).files).toMatchObject([
      { mediaType: 'image/png', content: Buffer.alloc(3) },
      { mediaType: 'application/zip', content: Buffer.alloc(3) },
      { mediaType: 'application/octet-stream', content: Buffer.alloc(3) },
    ])
  })

  it.each<Record<string, Json>>([
    { content: [words('a')] },
    { content: [words('a'), words('b')], isError: false },
    { content: [words('a')], structuredContent: { n: 1 }, _meta: { 'ui/x': 1 } },
    { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] },
    { content: [{ type: 'chart', points: [null] }] },
  ])('gives pages the whole result: %j', (result) => {
    expect(toToolResult({ resultType: 'complete', ...result }).output).toStrictEqual(result)
  })

  it('drops structured data that is too large', () => {
    const { output } = toToolResult({
      content: [words('much')],
      structuredContent: { a: 'x'.repeat(300_000) },
    })

    expect(output).toEqual({ content: [words('much')] })
  })

  it('names images, audio and resources, and returns their files', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const large = { type: 'audio', mimeType: 'audio/wav', data: 'A'.repeat(300_000) } as const
    const resource = { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } } as const
    const zip = { uri: 'file:///b.zip?c', mimeType: 'application/zip', blob: 'AAAA' }

    const blocks = [image, large, resource, { type: 'resource', resource: zip } as const]
    const { text, output, files } = toToolResult({ content: blocks })

    expect(text).toBe(
      '[image: image/png, 3 bytes]\n[audio: audio/wav, 220 KB]\n[resource: file:///a.txt]\ninside\n' +
        '[resource: file:///b.zip?c, application/zip, 3 bytes]',
    )
    expect(output).toEqual({
      content: [
        { type: 'image', mimeType: 'image/png' },
        { type: 'audio', mimeType: 'audio/wav' },
        resource,
        { type: 'resource', resource: { uri: 'file:///b.zip?c', mimeType: 'application/zip' } },
      ],
    })
    expect(files).toMatchObject([
      { mediaType: 'image/png', content: Buffer.alloc(3) },
      { mediaType: 'audio/wav', content: { byteLength: 225_000 } },
      { mediaType: 'application/zip', filename: 'b.zip', content: Buffer.alloc(3) },
    ])
  })

  it('leaves out blocks that are large together', () => {
    const long = { type: 'resource', resource: { uri: 'a.txt', text: 'x'.repeat(300_000) } } as const
    const { output } = toToolResult({ content: [long] })

    expect(output).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('cut here') }] })
  })

  it('throws the text of a failed tool', () => {
    expect(() => toToolResult({ content: [words('no such city')], isError: true })).toThrow('no such city')
    expect(() => toToolResult({ isError: true, structuredContent: { code: 'NO_CITY' } })).toThrow('NO_CITY')
    expect(() => toToolResult({ content: [], isError: true })).toThrow(
      'The tool failed, and does not say why.',
    )
  })
})
