import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { ask } from '../support/wire.ts'

const CHROME = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'
const FIREFOX = 'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc'
const SAFARI = 'safari-web-extension://0A8F6B1C-2D3E-4F50-8A9B-0C1D2E3F4A5B'
const NAMED = [CHROME, FIREFOX, SAFARI, 'app://-', 'tauri://localhost', 'capacitor://localhost'].concat([
  'vscode-webview://1a2b3c',
  'http://localhost:*',
  'http://127.0.0.1:*',
])
const allow = (...origins: string[]) => origins.flatMap((origin) => ['--allow-origin', origin])
const OTHER = 'chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba'

describe('allowed origins', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openServer({ models: scriptedModel().models, flags: allow(...NAMED) })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const preflight = (origin: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(server.url, { path: '/v1/threads', headers: { origin, 'sec-fetch-site': 'cross-site', ...headers } })

  it.each([
    ...NAMED.filter((origin) => !origin.endsWith('*')),
    'http://localhost',
    'http://localhost:5173',
    'http://localhost:80',
    'http://127.0.0.1:5173',
  ])('admit %s', async (origin) => {
    const response = await preflight(origin)

    expect(response).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': origin } })
    expect(response.headers).not.toHaveProperty('cross-origin-resource-policy')
    expect((await preflight(origin, { 'sec-fetch-site': 'none' })).status).toBe(200)
  })

  it.each([
    OTHER,
    `${CHROME}x`,
    'moz-extension://abcdefghijklmnopabcdefghijklmnop',
    'https://localhost:5173',
    'http://127.0.0.2:5173',
    'http://127x0.0.1:5173',
    'app://other',
    'null',
    'file://',
    'http://localhost:*',
    'http://127.0.0.1:*',
    'http://localhost.evil.example',
    'http://localhost:5173.evil.example',
    'http://evil.example:5173',
  ])('do not admit %s', async (origin) => {
    const response = await preflight(origin)

    expect(response.status).toBe(403)
    expect(response.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('admit files and pages without an origin only by their names, and never with cookies', async () => {
    for (const [name, other] of [
      ['null', 'file://'],
      ['file://', 'null'],
    ] as const) {
      await using named = await openServer({
        models: scriptedModel().models,
        flags: [...allow(name), '--require-token', '--guests'],
        users: ['ada'],
      })
      const admitted = await ask(named.url, { path: '/health', headers: { origin: name } })

      expect(admitted).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': name } })
      expect(admitted.headers).not.toHaveProperty('access-control-allow-credentials')
      expect(await ask(named.url, { path: '/health', headers: { origin: other } })).toMatchObject({
        status: 403,
        json: {
          error: `Pages of ${other} may not use this server. Its owner allows them with: --allow-origin ${other}`,
        },
      })
    }
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
