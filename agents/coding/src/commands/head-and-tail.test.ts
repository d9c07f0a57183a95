import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { headAndTail } from './head-and-tail.ts'

function read(parts: readonly string[], half?: { characters: number; lines: number }) {
  const kept = headAndTail(half)
  for (const part of parts) kept.add(part)
  return kept.read()
}

const NOTICE = /^… ([\d,]+) lines \(([\d,]+) characters\) left out …$/m

describe('the head and the tail of a text', () => {
  it('are all of a short one', () => {
    expect(read(['a\n', 'b'])).toEqual({ text: 'a\nb', truncated: false })
    expect(read([])).toEqual({ text: '', truncated: false })
  })

  it('say how many lines lie between', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}\n`)

    const { text, truncated } = read(lines)

    expect(truncated).toBe(true)
    expect(text).toMatch(/^line 1\n/)
    expect(text).toContain('line 1000\n… 8,000 lines (')
    expect(text).toMatch(/left out …\nline 9001\n[^]*line 10000\n$/)
  })

  it('are of a line without end, too', () => {
    const { text } = read(Array.from({ length: 100 }, () => 'x'.repeat(8192)))

    expect(text.length).toBeLessThan(52_000)
    expect(NOTICE.exec(text)?.[1]).toBe('0')
  })

  it('lose nothing that fits, and say exactly what they lose', () => {
    const half = { characters: 40, lines: 5 }
    const part = fc.string({ unit: fc.constantFrom('a', '\n', '中', '🙂'), maxLength: 30 })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 2000, size: 'max' }), (parts) => {
        const whole = parts.join('')
        const { text, truncated } = read(parts, half)
        if (!truncated) {
          expect(text).toBe(whole)
          return
        }
        const [notice = '', lines = '', characters = ''] = NOTICE.exec(text) ?? []
        const [head = '', tail = ''] = text.split(`${notice}\n`)
        expect(whole.startsWith(head.slice(0, -1))).toBe(true)
        expect(whole.endsWith(tail)).toBe(true)
        expect(text.isWellFormed()).toBe(true)
        expect(tail.length).toBeLessThanOrEqual(half.characters)
        // A new line may be put before the notice, where the head ends without one.
        const lost = Number(characters.replaceAll(',', ''))
        expect(whole.length - lost - tail.length - head.length).toBeGreaterThanOrEqual(-1)
        expect(whole.length - lost - tail.length - head.length).toBeLessThanOrEqual(0)
        const left = whole.slice(-(lost + tail.length)).slice(0, lost)
        expect(Number(lines.replaceAll(',', ''))).toBe(left.split('\n').length - 1)
      }),
      { numRuns: 50 },
    )
  })
})
