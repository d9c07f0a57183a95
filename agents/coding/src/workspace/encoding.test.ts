import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { survivesEncoding, decode, encode, detectEncoding, type Encoding } from './encoding.ts'

const all: readonly Encoding[] = ['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'gb18030']

describe.each(all)('text in %s', (encoding) => {
  it('survives a round trip', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(text.isWellFormed() && !text.startsWith('\ufeff') && !/[\ue000-\uf8ff]/.test(text))
        const bytes = encode(text, encoding)
        expect(decode(bytes, encoding)).toBe(text)
        expect(survivesEncoding(text, encoding, bytes)).toBe(true)
      }),
    )
  })

  it('is recognized by its bytes', () => {
    expect(detectEncoding(encode('这是一个测试文件，里面有中文。\nconst a = 1\n', encoding))).toBe(encoding)
  })
})

describe('detectEncoding', () => {
  it('defaults to UTF-8', () => {
    expect(detectEncoding(new Uint8Array())).toBe('utf-8')
    expect(detectEncoding(Buffer.from('plain'))).toBe('utf-8')
  })

  it('accepts a sample that ends within a character', () => {
    const bytes = Buffer.from('中'.repeat(50))
    expect(detectEncoding(bytes.subarray(0, 100))).toBe('utf-8')
  })

  it.each(['Müller, café, Ærø, naïve', 'Größe: 5 µm', '\xe9t\xe9'])('chooses Latin-1 for %s', (text) => {
    expect(detectEncoding(Buffer.from(text, 'latin1'))).toBe('latin1')
  })

  it('has an encoder that rejects other characters', () => {
    expect(() => encode('你', 'latin1')).toThrow(/not in Latin-1, in which the file is written/)
    expect(() => encode('\ud800', 'utf-8')).toThrow(/halves of characters/)
  })

  it('restores any bytes or reports that it cannot', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const encoding = detectEncoding(bytes)
        const text = decode(bytes, encoding)
        if (survivesEncoding(text, encoding, bytes))
          expect(Buffer.from(encode(text, encoding))).toEqual(Buffer.from(bytes))
        else expect(encoding).not.toBe('latin1')
      }),
    )
  })
})
