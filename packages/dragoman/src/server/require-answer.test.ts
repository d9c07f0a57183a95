import { expect, it } from 'vitest'

import { requireAnswer } from './require-answer.ts'

it('waits a second for a database that does not answer', async () => {
  await expect(requireAnswer(() => new Promise(() => undefined))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database has not answered for a second.',
  })
})

it('says why a database cannot be used', async () => {
  await requireAnswer(async () => undefined)
  await expect(requireAnswer(() => Promise.reject(new Error('It is full.')))).rejects.toThrow('It is full.')
})
