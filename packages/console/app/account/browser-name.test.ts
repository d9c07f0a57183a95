import { expect, it } from 'vitest'

import { browserName } from './browser-name.ts'

it.each([
  [null, undefined],
  ['', undefined],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox · Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0', 'Edge · Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/26 Safari/605.1', 'Safari · macOS'],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36',
    'Chrome · Android',
  ],
  ['curl/8.9', 'curl/8.9'],
])('names the browser %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})
