import { expect, it } from 'vitest'

import { request, harnesses } from './harness.fixture.ts'

const open = harnesses()

it.each([
  [undefined, 3],
  [2, 2],
  [50, 3],
])('limits a guest that asks for %j steps to %i', async (requested, expected) => {
  const { runs } = await open(async () => undefined)

  const { run } = await runs.start({
    ...request,
    userId: 'guest_abcdefghijkl',
    ...(requested !== undefined && { maxSteps: requested }),
  })

  expect(run.request.maxSteps).toBe(expected)
})

it('gives an account all steps of the agent', async () => {
  const { runs } = await open(async () => undefined)

  expect((await runs.start(request)).run.request.maxSteps).toBeUndefined()
})
