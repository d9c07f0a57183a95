import { describe, expect, it } from 'vitest'

import { mediaTypeOf } from './media-type.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

describe('the media type of a file', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n', 'image/jpeg', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/png', 'image/jpeg'],
    ['RIFF\x00\x00\x00\x00WEBPVP8 ', '', 'image/webp'],
    ['RIFF\x00\x00\x00\x00WAVEfmt ', 'audio/x-wav', 'audio/wav'],
    ['%PDF-1.7', 'text/html', 'application/pdf'],
  ])('is that of its content: %j', (content, declared, type) => {
    expect(mediaTypeOf(bytes(content), declared)).toBe(type)
  })

  it.each([
    ['a,b', 'text/csv; charset=utf-8', 'text/csv'],
    ['PK\x03\x04', 'application/zip', 'application/zip'],
    ['PK\x03\x04', '', 'application/octet-stream'],
    ['', 'image', 'application/octet-stream'],
    ['hi', 'image/png', 'image/png'],
  ])('is otherwise the declared one: %j', (content, declared, type) => {
    expect(mediaTypeOf(bytes(content), declared)).toBe(type)
  })

  it.each(['video/mp2t', 'application/x-sh', 'application/javascript', 'application/pdf'])(
    'is text for what reads as text, and was taken for %s',
    (declared) => {
      expect(mediaTypeOf(bytes('const answer: number = 42\n'), declared)).toBe('text/plain')
    },
  )

  it('is text for what has no type and reads as text', () => {
    const code = new TextEncoder().encode(`// ü 文\nexport const a = 1\n${'文'.repeat(3000)}`)

    expect(mediaTypeOf(code, 'application/octet-stream')).toBe('text/plain')
    expect(mediaTypeOf(bytes('\xfc\x20'), '')).toBe('application/octet-stream')
  })
})
