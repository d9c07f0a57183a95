import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { headAndTail } from './head-and-tail.ts'

function read(parts: readonly string[], half?: { characters: number; lines: number }) {
  const output = headAndTail(half)
  for (const part of parts) output.add(part)
  return output.read()
}

const NOTICE = /^… ([\d,]+) lines \(([\d,]+) characters\) left out …$/m

describe('headAndTail', () => {
  it('returns a short text unchanged', () => {
    expect(read(['a\n', 'b'])).toEqual({ text: 'a\nb', truncated: false })
    expect(read([])).toEqual({ text: '', truncated: false })
  })

  it('counts the lines between head and tail', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}\n`)

    const { text, truncated } = read(lines)

    expect(truncated).toBe(true)
    expect(text).toMatch(/^line 1\n/)
    expect(text).toContain('line 1000\n… 8,000 lines (')
    expect(text).toMatch(/left out …\nline 9001\n[^]*line 10000\n$/)
  })

  it('cuts a text without line breaks', () => {
    const { text } = read(Array.from({ length: 100 }, () => 'x'.repeat(8192)))

    expect(text.length).toBeLessThan(52_000)
    expect(NOTICE.exec(text)?.[1]).toBe('0')
  })

  it('keeps all that fits and counts exactly what it drops', () => {
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
        const missing = whole.slice(-(lost + tail.length)).slice(0, lost)
        expect(Number(lines.replaceAll(',', ''))).toBe(missing.split('\n').length - 1)
      }),
      { numRuns: 50 },
    )
  })
})
