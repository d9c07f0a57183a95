import { describe, expect, it } from 'vitest'

import { gate } from '../../../test/support/gate.ts'
import { keyedQueue } from './keyed-queue.ts'

const { signal } = new AbortController()

describe('keyedQueue', () => {
  it('runs tasks of one key one after the other, and other keys in parallel', async () => {
    const turn = keyedQueue()
    const hold = gate()
    const done: string[] = []
    const act =
      (name: string, wait = Promise.resolve()) =>
      async (): Promise<void> => {
        await wait
        done.push(name)
      }

    const first = turn('a', signal, act('first', hold.pass(signal)))
    const second = turn('a', signal, act('second'))
    await turn('b', signal, act('other'))
    expect(done).toEqual(['other'])
    hold.open()
    await Promise.all([first, second])

    expect(done).toEqual(['other', 'first', 'second'])
  })

  it('runs the next task after a failed one', async () => {
    const turn = keyedQueue()
    const first = turn('a', signal, () => Promise.reject(new Error('no')))
    const second = turn('a', signal, async () => 'made')

    await expect(first).rejects.toThrow('no')
    expect(await second).toBe('made')
  })

  it('keeps the next task waiting for the first if a waiting task is aborted', async () => {
    const turn = keyedQueue()
    const hold = gate()
    const control = new AbortController()
    const done: string[] = []
    const first = turn('a', signal, async () => {
      await hold.pass(signal)
      done.push('first')
    })
    const second = turn('a', control.signal, async () => done.push('second'))
    const third = turn('a', signal, async () => done.push('third'))
    control.abort(new Error('left'))

    await expect(second).rejects.toThrow('left')
    hold.open()
    await Promise.all([first, third])
    expect(done).toEqual(['first', 'third'])
  })
})
