import { describe, expect, it } from 'vitest'

import { parseCallInput } from './parse-call-input.ts'

describe('the input of a call', () => {
  it.each([
    ['', { value: {} }],
    ['""', { value: {} }],
    ['null', { value: {} }],
    ['{"a":[1,"\\u00e4"]}', { value: { a: [1, 'ä'] } }],
    ['{"constructor":"x"}', { value: { constructor: 'x' } }],
    ['{"a":', { unreadable: '{"a":' }],
    [JSON.stringify('{"a":1}'), { value: { a: 1 } }],
    [JSON.stringify('{"a":'), { value: '{"a":' }],
    [JSON.stringify('{"__proto__":{}}'), { value: '{"__proto__":{}}' }],
    ['{}{"a":"}{"}', { value: { a: '}{' } }],
    ['{"a":{"b":1}}{}', { value: { a: { b: 1 } } }],
    ['{"a":1,"b":2} {"b":2,"a":1}', { value: { a: 1, b: 2 } }],
    ['{}{}', { value: {} }],
    ['{"a":1}{"a":2}', { unreadable: '{"a":1}{"a":2}' }],
    ['{"a":1}{"a"', { unreadable: '{"a":1}{"a"' }],
    ['{"a":1}{"__proto__":{}}', { unreadable: '{"a":1}{"__proto__":{}}' }],
    ['{} or so {}', { unreadable: '{} or so {}' }],
    ['}{}', { unreadable: '}{}' }],
  ])('%s is parsed', (text, input) => {
    expect(parseCallInput(text)).toEqual(input)
  })

  it.each([
    '{"__proto__":{}}',
    String.raw`{"a":{"\u005f_proto__":1}}`,
    '{"constructor":{"prototype":{}}}',
    String.raw`{"c\u006fnstructor":{"prototyp\u0065":{}}}`,
  ])('%s is refused', (text) => {
    expect(parseCallInput(text)).toEqual({ unreadable: text })
  })

  it('may have fifty thousand values, and any signs in texts', () => {
    const many = (count: number) => JSON.stringify(Array.from({ length: count }, () => 1))
    const text = JSON.stringify([`,[{"\\`.repeat(60_000)])

    expect(parseCallInput(many(50_000))).toHaveProperty('value')
    expect(parseCallInput(text)).toEqual({ value: JSON.parse(text) as unknown })
    expect(parseCallInput(many(50_001))).toEqual({
      unreadable: '',
      problem: 'is not as it must be: it has more than 50000 values',
    })
  })

  it.each([['}'.repeat(100_000)], ['{}'.repeat(20_000)], ['{"a":1}'.repeat(20)]])(
    'is no repeated object with many pieces',
    (text) => {
      expect(parseCallInput(text)).toHaveProperty('unreadable')
    },
  )
})
