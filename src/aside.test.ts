import { expect, it } from 'vitest'

import { aside } from './aside.ts'
import { ServiceError } from './errors.ts'

const shout = aside<string, string>({
  module: new URL('./aside.fixture', import.meta.url),
  weigh: () => 1,
  most: { waiting: 8, weight: 8, megabytes: 64 },
  withinMs: 1000,
  refusals: {
    busy: 'Too much is shouted.',
    slow: () => new ServiceError('invalid-input', 'It takes too long.'),
    large: () => new ServiceError('invalid-input', 'It takes too much.'),
  },
})

it('lets the time of a request begin when its thread is ready, and that of the next with a new one', async () => {
  const [first, endless, next] = [shout('a'), shout('for ever'), shout('b')]

  expect(await first).toBe('A')
  await expect(endless).rejects.toThrow('It takes too long.')
  expect(await next).toBe('B')
}, 60_000)
