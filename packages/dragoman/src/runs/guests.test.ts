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

it('takes no files of a guest, whichever surface they come from', async () => {
  const { runs } = await open(async () => undefined)
  const file = { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' } as const
  const message = { id: 'u1', parts: [file] }

  await expect(runs.start({ ...request, userId: 'guest_abcdefghijkl', message })).rejects.toMatchObject({
    code: 'forbidden',
    message: 'parts: guests cannot send files.',
  })
})

it('gives an account all steps of the agent', async () => {
  const { runs } = await open(async () => undefined)

  expect((await runs.start(request)).run.request.maxSteps).toBeUndefined()
})
