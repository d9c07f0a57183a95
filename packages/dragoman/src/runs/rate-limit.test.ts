import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { rateLimit } from './rate-limit.ts'

describe('the limit of starts', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('counts each user separately, and says when to retry', async () => {
    const start = rateLimit(2, 'local')
    await start('ada')
    await start('ada')
    await vi.advanceTimersByTimeAsync(18_500)

    await expect(start('ada')).rejects.toMatchObject({ code: 'rate-limited', retryAfter: 42 })
    await expect(start('ada')).rejects.toThrow('2 runs a minute may be started: try again in 42 seconds.')
    await start('bob')
    await vi.advanceTimersByTimeAsync(41_500)

    await start('ada')
  })

  it('does not apply to exempt users, and 0 turns it off', async () => {
    const [one, none] = [rateLimit(1, 'local'), rateLimit(0, 'local')]

    const starts = ['local', 'local', 'local'].map(one).concat(['ada', 'ada', 'ada'].map(none))

    expect(await Promise.all(starts)).toHaveLength(6)
  })
})
