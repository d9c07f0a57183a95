import { expect, it } from 'vitest'

import { createCallTally } from './call-meter.ts'
import { noUsage } from './usage.ts'

it('counts a call with its prompt until its cost is known', () => {
  const tally = createCallTally()
  const setCost = tally.charge({ model: 'm', inputTokens: 7 })
  tally.charge({ model: 'n', inputTokens: 2 })

  expect(tally.usage).toEqual({ inputTokens: 9, outputTokens: 0, estimated: true })
  setCost({ inputTokens: 8, outputTokens: 3 })
  expect(tally.usage).toEqual({ inputTokens: 10, outputTokens: 3, estimated: true })
  setCost(noUsage)
  expect(tally.calls).toEqual([
    { model: 'm', usage: noUsage },
    { model: 'n', usage: { inputTokens: 2, outputTokens: 0, estimated: true } },
  ])
})

it('is nothing if no call has cost anything', () => {
  const tally = createCallTally(1)
  tally.charge({ model: 'm', inputTokens: 7 })(noUsage)

  expect(tally.usage).toBe(noUsage)
  expect(tally.hasRoom).toBe(false)
})
