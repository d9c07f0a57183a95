import { describe, expect, it } from 'vitest'

import { sharedWork } from './shared-work.ts'

/** Work that goes on until it is told to end, or, if it obeys, until it is stopped. */
function work(obeys = true) {
  const end = Promise.withResolvers<string>()
  const start = Promise.withResolvers<void>()
  const halted = Promise.withResolvers<void>()
  let times = 0
  let tell: (news: number) => void = () => undefined
  let stopped: unknown
  return {
    end,
    begun: start.promise,
    halted: halted.promise,
    times: () => times,
    tell: (news: number) => tell(news),
    stopped: () => stopped,
    run: async (telling: (news: number) => void, signal: AbortSignal) => {
      times += 1
      tell = telling
      signal.addEventListener('abort', () => {
        stopped = signal.reason
        halted.resolve()
        if (obeys) end.reject(signal.reason as Error)
      })
      start.resolve()
      return end.promise
    },
  }
}

function follower() {
  const control = new AbortController()
  const events: number[] = []
  return { control, heard: events, tell: (news: number) => void events.push(news), signal: control.signal }
}

describe('shared work', () => {
  it('runs once for all callers, who start with its latest progress', async () => {
    const { run } = sharedWork<number, string>()
    const one = work()
    const [first, second] = [follower(), follower()]
    const both = [run('ada', first, one.run)]
    await one.begun
    one.tell(1)
    one.tell(2)
    both.push(run('ada', second, one.run))
    one.tell(3)
    one.end.resolve('done')

    expect(await Promise.all(both)).toEqual(['done', 'done'])
    expect([one.times(), first.heard, second.heard]).toEqual([1, [1, 2, 3], [2, 3]])
  })

  it('runs once per key, and again after its end', async () => {
    const { run } = sharedWork<number, string>()
    const one = work()
    one.end.resolve('done')

    await Promise.all([run('ada', follower(), one.run), run('bob', follower(), one.run)])
    await run('ada', follower(), one.run)

    expect(one.times()).toBe(3)
  })

  it('runs until its last caller leaves', async () => {
    const { run } = sharedWork<number, string>()
    const one = work()
    const [first, second] = [follower(), follower()]
    const reader = run('ada', first, one.run)
    const stayed = run('ada', second, one.run)
    await one.begun

    first.control.abort(new Error('left'))
    await expect(reader).rejects.toThrow('left')
    expect(one.stopped()).toBeUndefined()
    second.control.abort(new Error('left too'))
    await expect(stayed).rejects.toThrow('left too')
    expect(one.stopped()).toMatchObject({ message: 'left too' })
  })

  it('starts again for a caller who comes while it is being stopped', async () => {
    const { run } = sharedWork<number, string>()
    const [one, other] = [work(false), work()]
    const first = follower()
    const reader = run('ada', first, one.run)
    await one.begun
    first.control.abort(new Error('left'))
    await one.halted
    const mine = run('ada', follower(), other.run)
    expect(other.times()).toBe(0)
    one.end.resolve('too late')
    other.end.resolve('other')

    expect(await mine).toBe('other')
    await expect(reader).rejects.toThrow('left')
  })

  it('fails for all callers', async () => {
    const { run } = sharedWork<number, string>()
    const one = work()
    const both = [run('ada', follower(), one.run), run('ada', follower(), one.run)]
    one.end.reject(new Error('broken'))

    expect(await Promise.allSettled(both)).toMatchObject([
      { status: 'rejected', reason: { message: 'broken' } },
      { status: 'rejected', reason: { message: 'broken' } },
    ])
  })
})
