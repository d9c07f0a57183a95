import { expect, it } from 'vitest'

import { turnBetween } from './turn-between.ts'

it('gives the event loop a turn between steps over many bytes, and none between small ones', async () => {
  const order: string[] = []
  setImmediate(() => order.push('turn'))
  await turnBetween(1000)
  order.push('small')
  await turnBetween(1_000_000)
  order.push('large')

  expect(order).toEqual(['small', 'turn', 'large'])
})
