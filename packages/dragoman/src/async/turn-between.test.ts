import { expect, it } from 'vitest'

import { nextTurn, turnBetween } from './turn-between.ts'
import { workFor } from './work-for.ts'

/** Counts the turns of the event loop. */
function countTurns(): { readonly count: number } & Disposable {
  let count = 0
  let timer = setImmediate(function next() {
    count += 1
    timer = setImmediate(next)
  })
  return {
    get count() {
      return count
    },
    [Symbol.dispose]: () => clearImmediate(timer),
  }
}

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
  using loop = countTurns()
  const turns: number[] = []
  const steps = async (): Promise<void> => {
    for (let step = 0; step < 3; step += 1) {
      await nextTurn()
      turns.push(loop.count)
    }
  }
  await Promise.all([steps(), steps(), steps()])

  expect(new Set(turns).size).toBe(9)
})

it('lets a user wait for one step of each other user, however many they have', async () => {
  const order: string[] = []
  const step = async (user: string): Promise<void> =>
    workFor(user, async () => {
      await nextTurn()
      order.push(user)
    })
  await Promise.all([...Array.from({ length: 50 }, () => step('ada')), step('bob'), step('cy')])

  expect(order.slice(0, 3)).toEqual(['ada', 'bob', 'cy'])
  expect(order).toHaveLength(52)
})
