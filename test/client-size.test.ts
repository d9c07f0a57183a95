import { join } from 'node:path'

import { expect, it } from 'vitest'

import { built, sizeOf } from './support/page-size.ts'

const CLIENT = join(import.meta.dirname, '../packages/client/src/index.ts')
const MAX_BYTES = 4096

it('the whole client adds at most 4 KB to a page', async () => {
  const code = await built('*', CLIENT)

  for (const name of ['resumableFetch', 'followRun', 'messages']) expect(code).toContain(name)
  expect(sizeOf('all of it', code)).toBeLessThanOrEqual(MAX_BYTES)
})

it('a page with the client of the server’s own API loads at most 3 KB', async () => {
  const entry = join(import.meta.dirname, '../packages/client/src/v1.ts')

  expect(sizeOf('createClient', await built('{ createClient }', entry))).toBeLessThanOrEqual(3072)
})

it.each([
  ['resumableFetch', 2500, 'user.joined'],
  ['followRun, messages', 3000, 'tool_use'],
])('importing only %s adds few bytes and no other code', async (names, most, other) => {
  const code = await built(`{ ${names} }`, CLIENT)

  expect(code).not.toContain(other)
  expect(sizeOf(names, code)).toBeLessThanOrEqual(most)
})
