import { createHash } from 'node:crypto'

import { expect, it } from 'vitest'

import { sha256 } from './sha-256.ts'

it.each([
  '',
  'abc',
  'é😀'.repeat(40),
  ...[55, 56, 63, 64, 65, 119, 120, 1000].map((length) => 'x'.repeat(length)),
])('SHA-256 is that of Node: %s', (text) => {
  expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
})
