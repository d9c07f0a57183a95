import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readDataUrl, readDataUrlInSteps } from './data-url.ts'

const read = (url: string) => {
  const found = readDataUrl(url)
  return found && [found.mediaType, Buffer.from(found.data, 'base64').toString()]
}

describe('a data: URL', () => {
  it.each([
    ['data:text/plain;base64,aGk=', 'text/plain', 'hi'],
    ['data:text/plain;charset=utf-8;base64,aGk', 'text/plain', 'hi'],
    ['DATA:text/plain;BASE64,aGk=', 'text/plain', 'hi'],
    ['data:;base64,aGk=', undefined, 'hi'],
    ['data:video/webm;codecs=vp8,opus;base64,aGk=', 'video/webm', 'hi'],
    ['data:text/plain,hi;base64,aGk=', 'text/plain', 'hi;base64,aGk='],
    ['data:text/plain;base64,8J-Yig', 'text/plain', '😊'],
    ['data:text/plain;base64,8J+Y\r\nig==\n', 'text/plain', '😊'],
    ['data:text/plain;base64,8J%2BYig%3D%3D', 'text/plain', '😊'],
    ['data:,Hello%2C%20World%21 50%', undefined, 'Hello, World! 50%'],
    ['data:text/plain;charset=utf-8,%E4%BD%A0好', 'text/plain', '你好'],
    ['data:image/svg+xml;utf8,<svg a="b"/>', 'image/svg+xml', '<svg a="b"/>'],
    ['data:text/plain;base64,', 'text/plain', ''],
    ['data:', undefined, ''],
  ])('is read: %s', (url, mediaType, content) => {
    expect(read(url)).toEqual([mediaType, content])
  })

  it.each([
    'https://example.com/a,b',
    'data:text/plain',
    'data: the values, and more',
    'data:text/plain;base64,=',
    'data:text/plain;base64,YQ===',
    'data:text/plain;base64,Y=Q=',
    'data:text/plain;base64,aGk?',
    `data:text/plain;base64,${'A'.repeat(20_000_000)}?`,
  ])('is not: %.40s', (url) => {
    expect(readDataUrl(url)).toBeUndefined()
  })

  it('reads the same wherever a step of it ends', () => {
    const signs = fc.string({
      unit: fc.constantFrom('%', '4', '1', '%E4%BD%A0', '好', '😊', ' '),
      maxLength: 12,
    })
    const long = fc.tuple(fc.integer({ min: 65_520, max: 65_540 }), signs)
    fc.assert(
      fc.property(long, ([length, end]) => {
        const [text, bytes] = [`${'a'.repeat(length)}${end}b`, read(`data:,${end}b`)?.[1] ?? '']
        expect(read(`data:,${text}`)?.[1]).toBe(`${'a'.repeat(length)}${bytes}`)
      }),
      { numRuns: 200 },
    )
  })

  it('is read in steps if it is large', () => {
    const url = `data:,${'%41'.repeat(1_000_000)}`
    const steps = readDataUrlInSteps(url)
    let count = 0
    while (!steps.next().done) count += 1

    expect(count).toBeGreaterThan(url.length / 100_000)
  })

  it('may be large', () => {
    expect(readDataUrl(`data:image/png;base64,${'A'.repeat(20_000_000)}`)?.data).toHaveLength(20_000_000)
    expect(read(`data:,${'ü'.repeat(100_000)}`)?.[1]).toHaveLength(100_000)
  })
})
