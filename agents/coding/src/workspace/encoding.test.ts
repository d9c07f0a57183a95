import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { comesBack, decode, encode, encodingOf, type Encoding } from './encoding.ts'

const all: readonly Encoding[] = ['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'gb18030']

describe.each(all)('text in %s', (encoding) => {
  it('comes back, whatever its characters are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(text.isWellFormed() && !text.startsWith('\ufeff') && !/[\ue000-\uf8ff]/.test(text))
        const bytes = encode(text, encoding)
        expect(decode(bytes, encoding)).toBe(text)
        expect(comesBack(text, encoding, bytes)).toBe(true)
      }),
    )
  })

  it('is known by its bytes', () => {
    expect(encodingOf(encode('这是一个测试文件，里面有中文。\nconst a = 1\n', encoding))).toBe(encoding)
  })
})

describe('an encoding', () => {
  it('is UTF-8 where there is nothing to tell it by', () => {
    expect(encodingOf(new Uint8Array())).toBe('utf-8')
    expect(encodingOf(Buffer.from('plain'))).toBe('utf-8')
  })

  it('is told by a beginning that ends within a character', () => {
    const bytes = Buffer.from('中'.repeat(50))
    expect(encodingOf(bytes.subarray(0, 100))).toBe('utf-8')
  })

  it.each(['Müller, café, Ærø, naïve', 'Größe: 5 µm', '\xe9t\xe9'])('is Latin-1 for %s in it', (text) => {
    expect(encodingOf(Buffer.from(text, 'latin1'))).toBe('latin1')
  })

  it('takes no character that it does not have, and says so', () => {
    expect(() => encode('你', 'latin1')).toThrow(/not in Latin-1, in which the file is written/)
    expect(() => encode('\ud800', 'utf-8')).toThrow(/halves of characters/)
  })

  it('of any bytes brings them back, or tells that it does not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const encoding = encodingOf(bytes)
        const text = decode(bytes, encoding)
        if (comesBack(text, encoding, bytes))
          expect(Buffer.from(encode(text, encoding))).toEqual(Buffer.from(bytes))
        else expect(encoding).not.toBe('latin1')
      }),
    )
  })
})
