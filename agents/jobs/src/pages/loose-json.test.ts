import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { parseLooseJson } from './loose-json.ts'

describe('JSON in a page', () => {
  it.each([
    ['as it should be', '{"a":[1,{"b":"c, }"}]}', { a: [1, { b: 'c, }' }] }],
    ['with a comma too many', '{"a":[1,2,],"b":"x",\n}', { a: [1, 2], b: 'x' }],
    ['with line breaks and tabs in a string', '{"a":"x\n\ty"}', { a: 'x\n\ty' }],
    ['in an HTML comment', '<!--\n{"a":1}\n-->', { a: 1 }],
    ['in CDATA', '//<![CDATA[\n{"a":1}\n//]]>', { a: 1 }],
    ['in CDATA in a comment', '/*<![CDATA[*/{"a":1}/*]]>*/', { a: 1 }],
    ['with a semicolon', '{"a":1};', { a: 1 }],
    ['escaped as HTML', '{&quot;a&quot;:&quot;R&amp;amp;D&quot;,}', { a: 'R&amp;D' }],
    ['with an escape that JSON has not', String.raw`{"a":"it\'s \d"}`, { a: String.raw`it\'s \d` }],
    ['with a quote that is escaped', String.raw`{"a":"\"x\",}",}`, { a: '"x",}' }],
  ])('is read %s', (_how, text, value) => {
    expect(parseLooseJson(text)).toEqual(value)
  })

  it.each(['', '{"a":"said "so" aloud"}', '{{ template }}', '{"a":'])('cannot be made of %j', (text) => {
    expect(parseLooseJson(text)).toBeUndefined()
  })

  it('takes time in proportion to its length', () => {
    for (const text of ['"\\', '{"a', ',  ', ' /', '<!--']) {
      expect(cpuMs(() => parseLooseJson(text.repeat(300_000)))).toBeLessThan(2000)
    }
  })
})
