import { join } from 'node:path'

import { expect, it } from 'vitest'

import { built, sizeOf } from '../../../test/support/page-size.ts'

const CLIENT = join(import.meta.dirname, '../src/client/index.ts')

it.each([
  ['agentEvents, agentAnswers', 1000],
  ['envelopes, envelopeAnswers', 2050],
])('loads few bytes for a page that uses only %s', async (names, most) => {
  const code = await built(`{ ${names} }`, CLIENT)

  expect(code).not.toContain('user.joined')
  expect(sizeOf(names, code)).toBeLessThanOrEqual(most)
})
