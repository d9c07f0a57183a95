import { expect, it } from 'vitest'

import { request, rigs } from './rig.fixture.ts'

const open = rigs()

it.each([
  [undefined, 3],
  [2, 2],
  [50, 3],
])('a guest who asks for %j steps has %i at most', async (asked, given) => {
  const { runs } = await open(async () => undefined)

  const { run } = await runs.start({
    ...request,
    userId: 'guest_abcdefghijkl',
    ...(asked !== undefined && { maxSteps: asked }),
  })

  expect(run.request.maxSteps).toBe(given)
})

it('whoever has an account has all steps of the agent', async () => {
  const { runs } = await open(async () => undefined)

  expect((await runs.start(request)).run.request.maxSteps).toBeUndefined()
})
