import { describe, expect, it } from 'vitest'

import { ServiceError } from '../../errors.ts'
import { createHttpApp, createTrustedProxies } from './index.ts'
import { createRoomyLoad } from '../load/load.fixture.ts'

function openApp(errors: unknown[]): ReturnType<typeof createHttpApp> {
  return createHttpApp({
    local: 'local',
    hosts: [],
    origins: [],
    proxies: createTrustedProxies([]),
    load: createRoomyLoad(),
    verify: async () => undefined,
    verifySession: async () => undefined,
    report: (each) => errors.push(each),
    logRequest: () => undefined,
  })
}

/** The status and the reported errors of a route that throws. */
async function respondWith(error: Error): Promise<{ status: number; errors: unknown[] }> {
  const errors: unknown[] = []
  const app = openApp(errors)
  app.get('/', () => {
    throw error
  })
  const { status } = await app.request('http://127.0.0.1/')
  return { status, errors }
}

describe('the error handler of the app', () => {
  it('reports unexpected errors and failures of the store', async () => {
    const unforeseen = new Error('no')
    const store = new ServiceError('unavailable', 'The database cannot be used right now.', {
      cause: unforeseen,
    })

    expect(await respondWith(unforeseen)).toEqual({ status: 500, errors: [unforeseen] })
    expect(await respondWith(store)).toEqual({ status: 503, errors: [store] })
  })

  it('does not report errors of the caller or of a closing server', async () => {
    expect(await respondWith(new ServiceError('not-found', 'There is none.'))).toEqual({
      status: 404,
      errors: [],
    })
    const closing = new ServiceError('unavailable', 'The server is shutting down.')
    expect(await respondWith(closing)).toEqual({ status: 503, errors: [] })
  })

  it('reports once for each origin that its pages were refused, which browsers tell no one', async () => {
    const errors: unknown[] = []
    const app = openApp(errors)
    for (const origin of ['https://a.example', 'https://a.example', 'https://b.example'])
      expect((await app.request('http://127.0.0.1/', { headers: { origin } })).status).toBe(403)

    expect(errors).toMatchObject([
      { message: expect.stringContaining('--allow-origin https://a.example') },
      { message: expect.stringContaining('--allow-origin https://b.example') },
    ])
  })
})
