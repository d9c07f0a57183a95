import { anything, assert, property } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { toJson } from './to-json.ts'

const cycle: { self?: unknown } = {}
cycle.self = cycle

describe('toJson', () => {
  it('copies what JSON.stringify writes', () => {
    const values = anything({
      withDate: true,
      withTypedArray: true,
      withNullPrototype: true,
    })

    assert(
      property(values, (value) => {
        expect(toJson(value)).toEqual(JSON.parse(JSON.stringify(value) ?? 'null'))
      }),
    )
  })

  it('makes objects and lists of maps and sets, at any depth', () => {
    const value = {
      cities: new Map([['Oslo', { tags: new Set(['cold', 'far']) }]]),
      pairs: new Map([[1, 'a']]),
    }

    expect(toJson(value)).toEqual({ cities: { Oslo: { tags: ['cold', 'far'] } }, pairs: [[1, 'a']] })
  })

  it('leaves functions and symbols out, as JSON does', () => {
    const value = { ok: true, retry: () => 1, mark: Symbol('s'), list: [() => 1], deep: { f: () => 1 } }

    expect(toJson(value)).toEqual({ ok: true, list: [null], deep: {} })
    expect(toJson(() => 1)).toBe(null)
  })

  it('shares nothing with the value', () => {
    const value = { list: [{ n: 1 }] }
    const copy = toJson(value)
    value.list[0] = { n: 2 }

    expect(copy).toEqual({ list: [{ n: 1 }] })
  })

  it.each<[string, () => unknown, RegExp]>([
    ['a BigInt', () => ({ n: 10n }), /BigInt/],
    ['an object that holds itself', () => cycle, /or contains itself/],
    [
      'a value nested too deeply',
      () =>
        Array(2000)
          .fill(0)
          .reduce<unknown>((inner) => [inner], 1),
      /deeper than 1000/,
    ],
    [
      'a getter that throws',
      () => ({
        get n() {
          throw new Error('no n')
        },
      }),
      /no n/,
    ],
    [
      'a toJSON that throws',
      () => ({
        toJSON: () => {
          throw new Error('no form')
        },
      }),
      /no form/,
    ],
    [
      'a proxy that throws',
      () =>
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('no keys')
            },
          },
        ),
      /no keys/,
    ],
  ])('refuses %s', (_name, value, reason) => {
    expect(() => toJson(value())).toThrow(TypeError)
    expect(() => toJson(value())).toThrow(reason)
  })

  it.each<[string, () => unknown]>([
    ['a string', () => 'x'.repeat(101)],
    ['an array', () => Array(101).fill(1)],
    ['a sparse array', () => Array(1e9)],
    ['keys', () => ({ ['x'.repeat(101)]: 1 })],
    ['a map', () => new Map([['words', 'x'.repeat(101)]])],
    ['bytes', () => new Uint8Array(11)],
    ['many small values', () => Array.from({ length: 10 }, () => ({ words: 'ten letters' }))],
  ])('refuses too large %s before it copies them', (_name, value) => {
    expect(() => toJson(value(), { maxCharacters: 100 })).toThrow(RangeError)
  })

  it.each<[string, () => unknown, RegExp]>([
    ['values', () => Array(200_001).fill(1), /more than 200000 values/],
    ['values in lists', () => Array.from({ length: 70_000 }, () => [1, 2]), /more than 200000 values/],
    ['values in a map', () => new Map(Array.from({ length: 70_000 }, (_, n) => [n, [n]])), /200000 values/],
    ['bytes', () => new Uint8Array(200_001), /more than 200000 values/],
    [
      'keys',
      () => Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [n, n])),
      /an object of more than 20000 keys/,
    ],
  ])('refuses too many %s, as they stand the event loop', (_name, value, reason) => {
    expect(() => toJson({ value: value() })).toThrow(RangeError)
    expect(() => toJson({ value: value() })).toThrow(reason)
  })
})
