import { describe, expect, it } from 'vitest'

import { readDataUrl } from './data-url.ts'

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

  it('may be large', () => {
    expect(readDataUrl(`data:image/png;base64,${'A'.repeat(20_000_000)}`)?.data).toHaveLength(20_000_000)
    expect(read(`data:,${'ü'.repeat(100_000)}`)?.[1]).toHaveLength(100_000)
  })
})
