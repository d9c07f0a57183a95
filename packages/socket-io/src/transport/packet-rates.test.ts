import { expect, it } from 'vitest'

import { createPacketRates } from './packet-rates.ts'

it('admits 5000 packets of each payer at once, then as many in 10 s', () => {
  let now = 0
  const { count } = createPacketRates(() => now)
  expect(count('ada', 5000)).toBe(true)
  expect(count('ada', 1)).toBe(false)
  expect(count('bob', 1)).toBe(true)

  // What was refused does not count.
  for (let n = 0; n < 1000; n++) count('ada', 5000)
  now += 100
  expect(count('ada', 50)).toBe(true)
  expect(count('ada', 1)).toBe(false)
  now += 10_000
  expect(count('ada', 5000)).toBe(true)
})
