import { describe, expect, it } from 'vitest'

import { raceAbort } from './race-abort.ts'
import { withTimeout } from './with-timeout.ts'

const never = new Promise<never>(() => undefined)

describe('raceAbort', () => {
  it('returns what the work gives within its grace after the abort', async () => {
    const work = Promise.withResolvers<string>()
    const race = raceAbort(work.promise, AbortSignal.abort(), () => 'abandoned', 10_000)

    work.resolve('done')

    expect(await race).toBe('done')
  })

  it('returns what onAbandoned gives once the grace after the abort is over', async () => {
    const control = new AbortController()
    const race = raceAbort(never, control.signal, () => 'abandoned', 5)

    control.abort()

    expect(await race).toBe('abandoned')
  })
})

describe('withTimeout', () => {
  it('aborts the work and rejects as timed-out once its time is over', async () => {
    let signal: AbortSignal | undefined
    const waiting = withTimeout(new AbortController().signal, 5, (until) => {
      signal = until
      return never
    })

    await expect(waiting).rejects.toMatchObject({
      code: 'timed-out',
      message: 'It took longer than 0.005 s.',
    })
    expect(signal?.aborted).toBe(true)
  })

  it('rejects with the reason of its signal', async () => {
    const control = new AbortController()
    const waiting = withTimeout(control.signal, 10_000, () => never)

    control.abort(new Error('stopped'))

    await expect(waiting).rejects.toThrow('stopped')
  })
})
