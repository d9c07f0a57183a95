import { setImmediate as turn } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { createRoomyLoad } from './load.fixture.ts'
import { awaitStrangerTurn } from './stranger-turns.ts'

const load = createRoomyLoad()
const never = (): boolean => false
const begin = (address: string, isOver: () => boolean = never): Promise<void> =>
  awaitStrangerTurn(load.share({ address }), isOver)

describe('turns of callers without a user', () => {
  it('go from address to address', async () => {
    const order: string[] = []
    const add = async (address: string): Promise<void> => {
      await begin(address)
      order.push(address)
    }
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'c'].map(add))

    expect(order.lastIndexOf('c')).toBeLessThan(4)
    expect(order.lastIndexOf('b')).toBeLessThan(3)
  })

  it('are rare while the event loop is full', async () => {
    const start = performance.now()
    let sum = 0
    for (let count = 0; count < 4; count++) void begin('a').then(() => (sum += 1))
    while (sum < 4) await turn()

    expect(performance.now() - start).toBeGreaterThan(140)
  })

  it('are not taken by what is over', async () => {
    const start = performance.now()
    await Promise.all(Array.from({ length: 2000 }, () => begin('a', () => true)))

    expect(performance.now() - start).toBeLessThan(1500)
  })
})
