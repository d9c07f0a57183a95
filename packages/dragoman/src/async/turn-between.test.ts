import { expect, it } from 'vitest'

import { nextTurn, turnBetween } from './turn-between.ts'

it('gives the event loop a turn between steps over many bytes, and none between small ones', async () => {
  const order: string[] = []
  setImmediate(() => order.push('turn'))
  await turnBetween(1000)
  order.push('small')
  await turnBetween(1_000_000)
  order.push('large')

  expect(order).toEqual(['small', 'turn', 'large'])
})

it('gives each one a turn of its own', async () => {
  let turn = 0
  let timer = setImmediate(function count() {
    turn += 1
    timer = setImmediate(count)
  })
  const turns: number[] = []
  const work = async (): Promise<void> => {
    for (let step = 0; step < 3; step += 1) {
      await nextTurn()
      turns.push(turn)
    }
  }
  await Promise.all([work(), work(), work()])
  clearImmediate(timer)

  expect(new Set(turns).size).toBe(9)
})
