import { expect, vi } from 'vitest'

import type { Store } from './store.ts'

/** The feed may lag behind transactions elsewhere, so it is read until it has so many runs after a cursor. */
export function changesOf(
  store: Store,
  after: string | undefined,
  count: number,
  limit = 10,
): ReturnType<Store['changed']> {
  return vi.waitFor(
    async () => {
      const page = await store.changed(after, limit)
      expect(page.runs).toHaveLength(count)
      return page
    },
    { timeout: 20_000 },
  )
}
