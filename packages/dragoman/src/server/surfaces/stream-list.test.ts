import * as fc from 'fast-check'
import { Hono } from 'hono'
import { expect, it } from 'vitest'

import { deliverFeeds } from '../http/respond-with-feed.ts'
import type { HttpEnv } from '../http/index.ts'
import { createRoomyLoad, usedOf } from '../load/load.fixture.ts'
import { streamList } from './stream-list.ts'

const fields = fc.dictionary(
  fc.string().filter((name) => name !== '__proto__' && name !== 'list'),
  fc.jsonValue(),
)
const pages = fc.array(
  fc.record({
    bytes: fc.constantFrom(0, 10, 1e6, 1e8),
    items: fc.array(fc.dictionary(fc.lorem(), fc.nat())),
  }),
)

it('writes the list as if it had been there as a whole, whatever its pages', async () => {
  await fc.assert(
    fc.asyncProperty(fields, fields, pages, async (before, after, all) => {
      const load = createRoomyLoad({ expensiveReadsPerUser: 1, expensiveReads: 1 })
      const app = new Hono<HttpEnv>()
      app.use(deliverFeeds(60_000))
      app.get('/', (c) => {
        c.set('load', load.share({ userId: 'ada' }))
        return streamList(c, {
          before,
          name: 'list',
          async *pages() {
            for (const { bytes, items } of all) yield { bytes, read: async () => items }
          },
          after: () => after,
        })
      })

      const [one, other] = await Promise.all(['/', '/'].map(async (path) => (await app.request(path)).text()))

      const list = all.flatMap(({ items }) => items)
      expect(JSON.parse(one ?? '')).toEqual(JSON.parse(JSON.stringify({ ...before, list, ...after })))
      expect(other).toBe(one)
      expect([usedOf(load, 'bytesUnsent'), usedOf(load, 'expensiveReads')]).toEqual([0, 0])
    }),
  )
})
