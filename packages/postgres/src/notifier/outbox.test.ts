import { expect, it } from 'vitest'

import { createOutbox, type Notice } from './outbox.ts'

it('sends one batch at a time, and drops the oldest notices of too many', async () => {
  const first = Promise.withResolvers<void>()
  const batches: (readonly Notice[])[] = []
  const dropped: string[] = []
  const outbox = createOutbox(
    async (notices) => {
      if (batches.push(notices) === 1) await first.promise
    },
    (notices) => dropped.push(...notices.map(([topic]) => topic)),
  )
  const add = (start: number, count: number): void => {
    for (let n = start; n < start + count; n += 1) outbox.add([`run_${n}`])
  }

  add(0, 2)
  await new Promise(setImmediate)
  add(2, 10_001)
  expect([dropped.length, dropped[0], dropped.at(-1)]).toEqual([5000, 'run_2', 'run_5001'])
  first.resolve()
  await outbox.flush()

  expect(batches.map((batch) => [batch.length, batch[0]])).toEqual([
    [2, ['run_0']],
    [5001, ['run_5002']],
  ])
})

it('hands back a batch that could not be sent, and goes on', async () => {
  const dropped: Notice[] = []
  const outbox = createOutbox(
    async (notices) => {
      if (notices[0]?.[0] === 'run_1') throw new Error('away')
    },
    (notices) => dropped.push(...notices),
  )

  outbox.add(['run_1'])
  await outbox.flush()
  outbox.add(['run_2'])
  await outbox.flush()

  expect(dropped).toEqual([['run_1']])
})
