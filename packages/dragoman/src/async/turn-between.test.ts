import { expect, it } from 'vitest'

import { nextTurn, turnBetween } from './turn-between.ts'
import { workFor } from './work-for.ts'

/** Calls `act` in each turn of the event loop. Returns the number of turns so far. */
function eachTurn(act = (): void => undefined): { readonly count: number } & Disposable {
  let count = 0
  let timer = setImmediate(function next() {
    count += 1
    act()
    timer = setImmediate(next)
  })
  return {
    get count() {
      return count
    },
    [Symbol.dispose]: () => clearImmediate(timer),
  }
}

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
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
  using loop = eachTurn()
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

it('leaves turns to others who are busy, and goes on', async () => {
  using loop = eachTurn(() => work(2))
  let steps = 0
  for (; steps < 100; steps += 1) {
    await nextTurn()
    work(2)
  }

  expect(loop.count).toBeGreaterThan(steps * 1.3)
})
