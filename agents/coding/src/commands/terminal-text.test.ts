import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { terminalText } from './terminal-text.ts'

/** All lines, the bytes cut at these places. */
function read(bytes: Uint8Array, cuts: readonly number[] = []): string {
  const terminal = terminalText()
  const ends = [...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]
  let begin = 0
  let text = ''
  for (const end of ends) {
    text += terminal.add(bytes.subarray(begin, end)).lines
    begin = end
  }
  return text + terminal.end().lines
}

describe('terminalText', () => {
  it.each([
    ['plain\ttext\n', 'plain\ttext\n'],
    ['\u001b[1;31mred\u001b[0m and \u001b[38;5;208morange\u001b[m\n', 'red and orange\n'],
    ['\u001b]0;a title\u0007text\u001b]8;;https://a.example\u001b\\link\u001b]8;;\u001b\\\n', 'textlink\n'],
    ['\u001b(B\u001b=\u001b7\u001b[?25lhidden cursor\u001b[?25h\n', 'hidden cursor\n'],
    ['1%\r50%\r100%\ndone', '100%\ndone'],
    ['100%\r\n', '100%\n'],
    ['100%\r', '100%'],
    ['a\r\nb\r\r\nc\n', 'a\nb\nc\n'],
    ['bell\u0007 and NUL\u0000\n', 'bell and NUL\n'],
    ['cut off \u001b[31', 'cut off [31'],
    ['日本語 🙂 中文\n', '日本語 🙂 中文\n'],
  ])('turns %j into %j', (output, text) => {
    expect(read(Buffer.from(output))).toBe(text)
  })

  it('reads invalid UTF-8', () => {
    expect(read(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\ufffdb')
  })

  it('reads the same text however it is chunked', () => {
    const piece = fc.constantFrom(
      '\u001b[31m',
      '\u001b]0;t\u0007',
      '\r',
      '\n',
      '\r\n',
      '50%',
      '中',
      '🙂',
      'word ',
    )
    const pieces = fc.array(piece, { maxLength: 30 })
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(200)), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''))
        expect(read(bytes, cuts)).toBe(read(bytes))
      }),
    )
  })

  it('reports each state of an overwritten line on its own line', () => {
    const terminal = terminalText()

    expect(terminal.add(Buffer.from('1%\r'))).toEqual({ lines: '', live: '1%\n' })
    expect(terminal.add(Buffer.from('2%\ndone'))).toEqual({ lines: '2%\n', live: '2%\ndone' })
    expect(terminal.end()).toEqual({ lines: 'done', live: '' })
  })

  it('buffers a bounded part of an endless line or sequence', () => {
    const terminal = terminalText()
    const lengths = Array.from({ length: 100 }, () => terminal.add(Buffer.alloc(1000, 'a')).lines.length)
    expect(lengths.reduce((sum, length) => sum + length, terminal.end().lines.length)).toBe(100_000)

    const endless = terminalText()
    let text = ''
    for (const part of ['\u001b]0;', ...Array.from({ length: 20 }, () => 'b'.repeat(1000))])
      text += endless.add(Buffer.from(part)).lines
    text += endless.end().lines
    expect(text.length).toBeGreaterThan(19_000)
  })
})
