import { describe, expect, it } from 'vitest'

import { failedAttempts } from './failed-attempts.ts'

describe('failed attempts', () => {
  it('pause for one second at first, then twice as long each time, up to 30 seconds', () => {
    let now = 0
    const failures = failedAttempts(() => now)
    const pauses = Array.from({ length: 7 }, () => {
      failures.fail('run_1')
      const failedAt = now
      while (!failures.isDue('run_1')) now += 500
      return (now - failedAt) / 1000
    })

    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30])
    expect(failures.isDue('run_2')).toBe(true)
  })

  it('count in a row only while the log does not grow', () => {
    const failures = failedAttempts(() => 0)

    expect([4, 4, 4, 5, 5].map((lastSeq) => failures.fail('run_1', lastSeq))).toEqual([1, 2, 3, 1, 2])
  })

  it('are forgotten with their runs', () => {
    const failures = failedAttempts(() => 0)
    failures.fail('run_1')
    failures.fail('run_2')

    failures.forget('run_2')

    expect([failures.isDue('run_1'), failures.isDue('run_2')]).toEqual([false, true])
    expect(failures.due()).toEqual([])
  })
})
