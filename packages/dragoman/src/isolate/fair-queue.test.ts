import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import { createFairQueue, type QueueLimits } from './fair-queue.ts'

const refusals = {
  owner: () => new ServiceError('rate-limited', 'You have too much.'),
  all: () => new ServiceError('unavailable', 'There is too much.'),
}

/** A queue whose pieces of work end when the test says so. `order` are the pieces that have started. */
function setUp(limits: Partial<QueueLimits> = {}) {
  const time = { now: 0 }
  const queue = createFairQueue({ workers: 1, waiting: 16, weight: 100, ...limits }, refusals, () => time.now)
  const order: string[] = []
  const running = new Set<() => void>()
  const add = async (owner: string, weight = 1): Promise<void> => {
    return queue.run(owner, weight, async () => {
      order.push(owner)
      await new Promise<void>((resolve) => running.add(resolve))
    })
  }
  const endOne = async (afterMs = 0): Promise<void> => {
    await turn()
    time.now += afterMs
    const [entry] = running
    if (!entry) throw new Error('Nothing runs.')
    running.delete(entry)
    entry()
    await turn()
  }
  return { queue, order, add, endOne, running, time }
}

it('lets another owner take its turn before the rest of the first', async () => {
  const { order, add, endOne } = setUp()
  const all = ['bob', 'bob', 'bob', 'ada', 'eve', 'ada'].map((owner) => add(owner))

  for (let i = 0; i < 6; i += 1) await endOne()
  await Promise.all(all)

  expect(order).toEqual(['bob', 'ada', 'eve', 'bob', 'ada', 'bob'])
})

it('gives an owner one worker at a time, and the others to other owners', async () => {
  const { order, add, endOne, running } = setUp({ workers: 2 })
  const all = [add('bob'), add('bob'), add('bob')]
  await turn()
  expect(order).toEqual(['bob'])
  all.push(add('ada'))
  await turn()
  expect(order).toEqual(['bob', 'ada'])
  expect(running.size).toBe(2)

  for (let i = 0; i < 4; i += 1) await endOne()
  await Promise.all(all)
})

it('refuses what exceeds the share of an owner, and takes the work of others', async () => {
  const { add, endOne } = setUp({ waiting: 16, weight: 100 })
  const all = [add('bob'), add('bob'), add('bob'), add('bob')]

  await expect(add('bob')).rejects.toMatchObject({ code: 'rate-limited' })
  all.push(add('ada', 40))
  await expect(add('ada', 20)).rejects.toMatchObject({ code: 'rate-limited' })

  for (let i = 0; i < 5; i += 1) await endOne()
  await Promise.all(all)
  const again = add('bob')
  await endOne()
  await again
})

it('takes a single piece of work that exceeds a share, and refuses all if it is full', async () => {
  const { add, endOne } = setUp({ waiting: 4, weight: 100 })
  const all = [add('bob', 90)]
  await expect(add('ada', 20)).rejects.toMatchObject({ code: 'unavailable' })
  all.push(add('ada', 1), add('eve', 1), add('joe', 1))
  await expect(add('kim', 1)).rejects.toMatchObject({ code: 'unavailable' })

  for (let i = 0; i < 4; i += 1) await endOne()
  await Promise.all(all)
})

it('frees the place of work that fails', async () => {
  const { queue, add, endOne } = setUp()
  await expect(queue.run('bob', 1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(queue.isIdle).toBe(true)
  const next = add('bob')
  await endOne()
  await next
})

it('puts an owner of slow work behind the others, until that is long ago', async () => {
  const { order, add, endOne, time } = setUp()
  const all = [add('bob'), add('bob'), add('ada'), add('ada'), add('ada')]
  await endOne(15_000)
  for (let i = 0; i < 4; i += 1) await endOne(10)
  expect(order).toEqual(['bob', 'ada', 'ada', 'ada', 'bob'])

  time.now += 5 * 60_000
  all.push(add('ada'), add('bob'), add('ada'))
  for (let i = 0; i < 3; i += 1) await endOne(10)
  await Promise.all(all)
  expect(order.slice(5)).toEqual(['ada', 'bob', 'ada'])
})

it('keeps the last free worker for owners of quick work, however many have slow work', async () => {
  const { order, add, endOne } = setUp({ workers: 2 })
  const slow = ['eve', 'mal', 'bad']
  const first = slow.map((owner) => add(owner))
  for (const _ of slow) await endOne(15_000)
  await Promise.all(first)

  const all = slow.map((owner) => add(owner))
  await turn()
  expect(order.slice(3)).toEqual(['eve'])
  all.push(add('ada'))
  await turn()
  expect(order.slice(4)).toEqual(['ada'])

  for (let i = 0; i < 4; i += 1) await endOne()
  await Promise.all(all)
})

it('gives an owner as many workers and places as it says', async () => {
  const { order, add, endOne } = setUp({ workers: 4, ofOwner: { workers: 2, waiting: 3 } })
  const all = [add('bob'), add('bob'), add('bob')]
  await expect(add('bob')).rejects.toMatchObject({ code: 'rate-limited' })
  await turn()
  expect(order).toEqual(['bob', 'bob'])

  for (let i = 0; i < 3; i += 1) await endOne()
  await Promise.all(all)
})

it('gives the turn of an owner who leaves to the next', async () => {
  const { queue } = setUp()
  const stop = new AbortController()
  const first = await queue.turn('bob', 1)
  const departure = queue.turn('eve', 1, stop.signal)
  const second = queue.turn('ada', 1)
  stop.abort(new Error('left'))
  await expect(departure).rejects.toThrow('left')
  await expect(queue.turn('eve', 1, stop.signal)).rejects.toThrow('left')

  first[Symbol.dispose]()
  const last = await second
  last[Symbol.dispose]()
  expect(queue.isIdle).toBe(true)
})

it('lets no one wait for more than one piece of each other owner, in any order of arrival', async () => {
  const owner = fc.constantFrom('a', 'b', 'c', 'd')
  await fc.assert(
    fc.asyncProperty(fc.array(owner, { minLength: 1, maxLength: 24 }), async (owners) => {
      const { order, add, endOne } = setUp({ waiting: 96, weight: 1000 })
      const all = owners.map((each) => add(each))
      for (const _ of owners) await endOne()
      await Promise.all(all)
      for (const each of new Set(owners)) {
        const turns = order.flatMap((name, index) => (name === each ? [index] : []))
        for (const [index, place] of turns.entries()) {
          const between = order.slice((turns[index - 1] ?? -1) + 1, place)
          expect(new Set(between).size).toBe(between.length)
        }
      }
    }),
    { numRuns: 30 },
  )
})

/** Lets what is ready go on. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
