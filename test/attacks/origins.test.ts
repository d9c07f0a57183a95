import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { ask } from '../support/wire.ts'

const CHROME = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'
const FIREFOX = 'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc'
const OTHER = 'chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba'

describe('allowed origins', () => {
  let server: TestServer
  beforeAll(async () => {
    const flags = [CHROME, FIREFOX, 'http://localhost:*'].flatMap((origin) => ['--allow-origin', origin])
    server = await openServer({ models: scriptedModel().models, flags })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const preflight = (origin: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(server.url, { path: '/v1/threads', headers: { origin, 'sec-fetch-site': 'cross-site', ...headers } })

  it.each([CHROME, FIREFOX, 'http://localhost', 'http://localhost:5173', 'http://localhost:80'])(
    'admit %s',
    async (origin) => {
      const response = await preflight(origin)

      expect(response).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': origin } })
      expect(response.headers).not.toHaveProperty('cross-origin-resource-policy')
      expect((await preflight(origin, { 'sec-fetch-site': 'none' })).status).toBe(200)
    },
  )

  it.each([
    OTHER,
    `${CHROME}x`,
    'moz-extension://abcdefghijklmnopabcdefghijklmnop',
    'https://localhost:5173',
    'http://localhost.evil.example',
    'http://localhost:5173.evil.example',
    'http://evil.example:5173',
  ])('do not admit %s', async (origin) => {
    const response = await preflight(origin)

    expect(response.status).toBe(403)
    expect(response.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('may send any header named in a preflight', async () => {
    for (const path of ['/ag-ui/jobs', '/socket.io/?EIO=4&transport=polling']) {
      const headers = {
        origin: CHROME,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-run-id,x-custom',
      }
      const response = await ask(server.url, { method: 'OPTIONS', path, headers })

      expect(response).toMatchObject({
        status: 204,
        headers: {
          'access-control-allow-origin': CHROME,
          'access-control-allow-headers': 'content-type,x-run-id,x-custom',
        },
      })
      expect(response.headers['vary']).toContain('access-control-request-headers')
    }
  })
})
