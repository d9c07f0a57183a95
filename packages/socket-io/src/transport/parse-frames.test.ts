import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { createFrameParser } from './parse-frames.ts'

it('reads the same events however their bytes are cut, and counts what it holds', () => {
  const data = fc.record({ text: fc.string({ unit: 'grapheme' }), count: fc.integer() })
  fc.assert(
    fc.property(fc.array(data, { minLength: 1 }), fc.array(fc.nat(40)), (all, cuts) => {
      const text = all.map((each, n) => `id: ${n + 1}\ndata: ${JSON.stringify(each)}\n\n`).join('')
      let rest = new TextEncoder().encode(text)
      let held = 0
      const parser = createFrameParser((change) => (held += change))
      const frames = [...cuts, rest.length].flatMap((cut) => {
        const piece = rest.subarray(0, cut)
        rest = rest.subarray(cut)
        return parser.parse(piece)
      })

      expect(frames).toEqual(all.map((each, n) => ({ cursor: String(n + 1), data: each })))
      expect(held).toBe(0)
    }),
  )
})

it('forgets the part of an event once it is closed', () => {
  let held = 0
  const parser = createFrameParser((change) => (held += change))
  expect(parser.parse(new TextEncoder().encode('id: 1\ndata: {"a":'))).toEqual([])
  expect([held, parser.hasPart()]).toEqual([17, true])

  parser.close()
  expect([held, parser.hasPart()]).toEqual([0, false])
})
