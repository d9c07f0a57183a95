import { describe, expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import { runLog } from '../log/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { untilStopped } from './prepare-attempt.ts'

describe('untilStopped', () => {
  const removed = new ServiceError('not-found', 'There is no run run_1.')
  const unreadable = () => runLog({ ...memoryStore(), read: () => Promise.reject(removed) }, memoryNotifier())

  it('aborts the work and throws the reason when the log cannot be read', async () => {
    const rejections: unknown[] = []
    const note = (reason: unknown): void => void rejections.push(reason)
    process.on('unhandledRejection', note)
    const work = (signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => setImmediate(() => reject(new Error('aborted')))),
      )

    const acting = untilStopped(
      { id: 'run_1', after: 0 },
      { log: unreadable(), signal: new AbortController().signal },
      work,
    )

    await expect(acting).rejects.toBe(removed)
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(rejections).toEqual([])
  })
})
