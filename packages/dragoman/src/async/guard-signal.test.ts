import { addAbortListener } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, it } from 'vitest'

import { guardSignal } from './guard-signal.ts'

it('is a signal whose listeners may throw', async () => {
  const control = new AbortController()
  const reports: unknown[] = []
  const calls: string[] = []
  const { signal } = guardSignal(control.signal, (error) => reports.push(error))
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

it('keeps nothing in memory that its source has, also where listeners are left', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const leave = (): WeakRef<object> => {
    const context = { control: new AbortController(), reports: [] as unknown[] }
    const { signal } = guardSignal(context.control.signal, (error) => context.reports.push(error))
    signal.addEventListener('abort', () => context.reports.push('aborted'))
    return new WeakRef(context)
  }
  const contexts = Array.from({ length: 20 }, leave)

  const countAlive = (): number => {
    collectGarbage()
    return contexts.filter((each) => each.deref() !== undefined).length
  }
  await expect.poll(countAlive).toBe(0)
})
