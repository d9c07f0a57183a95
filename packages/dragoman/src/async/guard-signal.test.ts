import { addAbortListener } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'

import { expect, it } from 'vitest'

import { guardSignal } from './guard-signal.ts'

it('is a signal whose listeners may throw', async () => {
  const control = new AbortController()
  const reports: unknown[] = []
  const calls: string[] = []
  const signal = guardSignal(control.signal, (error) => reports.push(error))
  const removed = (): void => void calls.push('removed')
  signal.addEventListener('abort', () => {
    throw new Error('thrown')
  })
  const rejects: unknown = async () => Promise.reject(new Error('rejected'))
  signal.addEventListener('abort', rejects as () => void)
  signal.addEventListener('abort', { handleEvent: () => calls.push('object') }, { once: true })
  signal.addEventListener('abort', removed)
  signal.removeEventListener('abort', removed)
  const first = (): void => void calls.push('first handler')
  Object.assign(signal, { onabort: first })
  Object.assign(signal, { onabort: () => calls.push('handler') })
  const disposable = addAbortListener(signal, () => calls.push('of Node'))
  AbortSignal.any([signal]).addEventListener('abort', () => calls.push('joined'))

  control.abort(new Error('the reason'))
  await turn()
  disposable[Symbol.dispose]()

  expect(signal.aborted).toBe(true)
  expect(signal.reason).toEqual(new Error('the reason'))
  expect(calls.toSorted()).toEqual(['handler', 'joined', 'object', 'of Node'])
  expect(reports).toEqual([new Error('thrown'), new Error('rejected')])
})
