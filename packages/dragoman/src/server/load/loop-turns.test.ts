import { setImmediate as turn } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { createLoopTurns } from './loop-turns.ts'

describe('turns of the event loop', () => {
  it('let a key begin at once, and one thing in each turn', async () => {
    const turns = createLoopTurns<string>(() => false)
    const order: string[] = []
    const begin = async (key: string, name: string): Promise<void> => {
      await turns.wait(key)
      order.push(name)
    }
    const ada = ['a1', 'a2', 'a3', 'a4'].map((name) => begin('ada', name))
    await turn()
    await turn()
    const bob = begin('bob', 'b1')

    await Promise.all([...ada, bob])
    expect(order).toEqual(['a1', 'a2', 'a3', 'b1', 'a4'])
  })

  it('are over for a key once nothing of it waits', async () => {
    const turns = createLoopTurns<string>(() => false)
    expect(turns.wait('ada')).toBeUndefined()
    expect(turns.wait('ada')).toBeInstanceOf(Promise)
    await turn()
    await turn()
    await turn()

    expect(turns.wait('ada')).toBeUndefined()
  })

  it('let a key begin several things in each turn, if it may', async () => {
    const turns = createLoopTurns<string>(() => false, 2)
    const order: string[] = []
    const begin = async (name: string): Promise<void> => {
      await turns.wait('ada')
      order.push(name)
    }
    const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map(begin)
    const counts: number[] = []
    for (let round = 0; round < 3; round++) {
      await Promise.resolve()
      counts.push(order.length)
      await turn()
    }

    expect(counts).toEqual([2, 4, 5])
    await Promise.all(all)
  })

  it('forget what is over', async () => {
    const turns = createLoopTurns<string>(() => true)
    const controller = new AbortController()
    const waiting = [turns.wait('ada', controller.signal), turns.wait('ada')]
    controller.abort(new Error('It is over.'))

    await expect(waiting[0]).rejects.toThrow('It is over.')
    await waiting[1]
  })

  it('let a party with much in progress begin little in a second', async () => {
    let isBusy = true
    const turns = createLoopTurns<string>(() => isBusy)
    const start = performance.now()
    await turns.wait('ada')
    await turns.wait('ada')
    await turns.wait('ada')
    expect(performance.now() - start).toBeGreaterThan(45)

    const waiting = turns.wait('ada')
    isBusy = false
    await waiting
    expect(turns.wait('bob')).toBeUndefined()
  })
})
