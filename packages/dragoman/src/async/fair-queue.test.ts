import { expect, it } from 'vitest'

import { fairQueue } from './fair-queue.ts'

it('does one piece of work at a time, and lets keys take turns', async () => {
  const queue = fairQueue()
  const order: string[] = []
  let running = 0
  const add = (key: string, name: string): Promise<string> =>
    queue.run(key, async () => {
      running += 1
      expect(running).toBe(1)
      await Promise.resolve()
      order.push(name)
      running -= 1
      return name
    })

  const all = [add('ada', 'a1'), add('ada', 'a2'), add('ada', 'a3'), add('bob', 'b1'), add('bob', 'b2')]

  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
})

it('goes on after work that fails', async () => {
  const queue = fairQueue()
  const failing = queue.run('ada', () => Promise.reject(new Error('no')))
  const next = queue.run('ada', async () => 'done')

  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

it('rests after each piece of work, if it is to', async () => {
  const queue = fairQueue({ rest: 4 })
  const work = async (): Promise<number> => {
    const begin = performance.now()
    while (performance.now() - begin < 10);
    return begin
  }
  const [first, second] = await Promise.all([queue.run('ada', work), queue.run('bob', work)])

  expect(second - first).toBeGreaterThan(45)
})
