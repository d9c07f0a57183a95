import { assert, property, string, stringMatching } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { visibleJson, visibleText } from './visible-text.ts'

describe('visibleText', () => {
  it.each([
    ['what turns the direction', 'ok \u202e\u2066; rm', 'ok \\u202e\\u2066; rm'],
    ['what is not seen', 'a\u200bb\u2060c\ufeffd\u00ade', 'a\\u200bb\\u2060c\\ufeffd\\u00ade'],
    ['controls', 'a\u0000b\rc\u001b[2Kd\u0085', 'a\\u0000b\\u000dc\\u001b[2Kd\\u0085'],
    ['separators and odd spaces', 'a\u2028b\u2029c\u00a0d\u2003e', 'a\\u2028b\\u2029c\\u00a0d\\u2003e'],
    ['fillers', 'a\u3164b\u115fc\u2800d\u034f', 'a\\u3164b\\u115fc\\u2800d\\u034f'],
    ['tags, which have two units', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ])('writes %s as escapes', (_what, text, visible) => {
    expect(visibleText(text)).toBe(visible)
  })

  it('leaves words, lines, tabs and wide spaces as they are', () => {
    const text = 'git commit -m "中文　字" # é ñ עברית\n\tline 2 😀'

    expect(visibleText(text)).toBe(text)
    assert(property(stringMatching(/^[ -~\n\t]*$/), (plain) => visibleText(plain) === plain))
  })

  it('hides nothing of any text, and is itself visible', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        const visible = visibleText(text)
        expect(visibleText(visible)).toBe(visible)
      }),
    )
  })

  it('keeps the value of JSON', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(visibleJson({ text }, 2))).toEqual(JSON.parse(JSON.stringify({ text })))
      }),
    )
  })
})
