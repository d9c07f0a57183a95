import { beforeEach, afterEach, expect, it, vi } from 'vitest'

import type { LoadParty } from './load-account.ts'
import { createSmallLoad } from './load.fixture.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('reads each user at a pace, guests of one address at one, and the only user of a server at any', () => {
  const account = createSmallLoad()
  const pace = (party: LoadParty, bytes: number) => account.share(party).pace(bytes)
  expect(pace({ userId: 'ada' }, 2000)).toBe(0)
  vi.advanceTimersByTime(500)
  expect(pace({ userId: 'ada' }, 1)).toBe(1500)
  expect(pace({ userId: 'bob' }, 2000)).toBe(0)
  expect(pace({ userId: 'guest_1a' }, 1500)).toBe(0)
  expect(pace({ userId: 'guest_2a' }, 1500)).toBe(1500)
  expect(pace({ address: 'a' }, 2000)).toBe(0)
  expect(pace({ userId: 'local' }, 9000)).toBe(0)

  vi.advanceTimersByTime(1500)
  expect(pace({ userId: 'ada' }, 2000)).toBe(0)
})
