import { expect, it } from 'vitest'

import { keyedQueue } from './keyed-queue.ts'

it('does the work of each key in order, and refuses more than may wait', async () => {
  const queue = keyedQueue(2, () => new Error('too many'))
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const add = (key: string, name: string): Promise<number> =>
    queue(key, async () => {
      order.push(name)
      await gate.promise
      return order.length
    })

  const all = [add('ada', 'a1'), add('ada', 'a2'), add('bob', 'b1'), add('ada', 'a3')]
  await expect(add('ada', 'a4')).rejects.toThrow('too many')
  expect(order).toEqual(['a1', 'b1'])
  gate.resolve()

  await Promise.all(all)
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3'])
  await add('ada', 'a5')
})

it('goes on after work that fails', async () => {
  const queue = keyedQueue(1, () => new Error('too many'))
  const failing = queue('ada', () => Promise.reject(new Error('no')))
  const next = queue('ada', async () => 'done')

  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
