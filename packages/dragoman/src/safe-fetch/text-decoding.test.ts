import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createTextDecoding } from './text-decoding.ts'

const chinese = Buffer.from([0xc8, 0xed, 0xbc, 0xfe])

describe('createTextDecoding', () => {
  it.each([
    [
      'text/html',
      Buffer.concat([Buffer.from('<meta charset="gbk"><p>'), chinese]),
      '<meta charset="gbk"><p>软件',
    ],
    ['text/plain; charset=gbk', chinese, '软件'],
    ['text/plain', Buffer.from('\uFEFF软件 🌍'), '软件 🌍'],
    ['text/html', Buffer.alloc(0), ''],
    ['text/html', Buffer.concat([Buffer.alloc(5000, 'x'), Buffer.from('软')]), `${'x'.repeat(5000)}软`],
  ])('decodes %s wherever the chunks are cut', (type, bytes, text) => {
    assert(
      property(integer({ min: 0, max: bytes.length }), integer({ min: 1, max: 3000 }), (first, size) => {
        const body = createTextDecoding(type)
        body.add(bytes.subarray(0, first))
        for (let at = first; at < bytes.length; at += size) body.add(bytes.subarray(at, at + size))

        expect(body.text()).toBe(text)
      }),
    )
  })
})
