import { setImmediate as turn } from 'node:timers/promises'

import { expect, it } from 'vitest'

import type { Memory } from './memory.ts'
import { analyzeMemories } from './analyze-memories.ts'

const memories = Array.from({ length: 50 }, (_, at): Memory => ({
  id: `mem_${at}`,
  content: `Memory ${at}`,
  type: 'fact',
  importance: 3,
  createdAt: '2026-11-22T08:00:00.000Z',
  updatedAt: '2026-11-22T08:00:00.000Z',
}))

it('many who ask at once hold up the server no longer than one', async () => {
  let turns = 0
  let done = false
  const counting = (async () => {
    for (; !done; turns++) await turn()
  })()

  const all = await Promise.all(
    Array.from({ length: 20 }, (_, at) => analyzeMemories(`user ${at}`, memories)),
  )
  done = true
  await counting

  expect(all.every((each) => each.length === 50)).toBe(true)
  // Each of them looks twice, and never two in the same turn.
  expect(turns).toBeGreaterThanOrEqual(40)
})

it('lets users take turns', async () => {
  let ended = 0
  const flood = Array.from({ length: 20 }, async () => {
    await analyzeMemories('eve', memories)
    ended += 1
  })
  await analyzeMemories('ada', memories)

  expect(ended).toBeLessThan(5)
  await Promise.all(flood)
})
