import { expect, it } from 'vitest'

import { createRoomyLoad } from './load.fixture.ts'
import { beginRequest } from './request-load.ts'

it('gives no place to a request that is over before it is admitted', () => {
  const load = createRoomyLoad()
  const request = beginRequest(load.share({ address: '192.0.2.1' }), undefined)
  request.end()

  expect(() => request.admit(load.share({ userId: 'ada' }))).toThrow('The request is over.')
  expect(load.totals().every(({ used }) => used === 0)).toBe(true)
})
