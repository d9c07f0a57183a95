import { describe, expect, it } from 'vitest'

import { openCalls } from './open-calls.ts'

const yes = { kind: 'approval', approved: true } as const

describe('open calls', () => {
  it('are idle once none is at work: those that wait do not count', async () => {
    const { signal } = new AbortController()
    const open = openCalls(signal)
    const work = Promise.withResolvers<void>()
    const asked = open.atWork(() => open.answerTo('a'))
    const worked = open.atWork(() => work.promise)
    expect([open.count, open.asked]).toEqual([2, ['a']])

    work.resolve()
    await open.idle()
    expect([open.count, open.asked]).toEqual([1, ['a']])

    open.answer('a', yes)
    expect(await asked).toEqual(yes)
    await worked
    expect(open.count).toBe(0)
  })

  it('keep an answer that comes before it is waited for, and give it once', async () => {
    const control = new AbortController()
    const open = openCalls(control.signal)
    open.answer('a', yes)

    expect(await open.atWork(() => open.answerTo('a'))).toEqual(yes)
    const second = open.atWork(() => open.answerTo('a'))
    control.abort()
    expect(await second).toBeUndefined()
    expect(open.count).toBe(0)
  })
})
