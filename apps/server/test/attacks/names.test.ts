import { describe, expect, it } from 'vitest'

import { eventsOf } from '../../../../test/support/event-stream.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { useServer } from '../../../../test/support/use-server.ts'
import { ask, exchange, statuses, rowsOfEveryTable } from '../../../../test/support/wire.ts'
import { bundledAgents } from '../../src/main.ts'

const FORGED =
  'a\r\nx-forged: 1\r\n\r\ndata: {"type":"finish"}\n\nid: 999\nevent: forged\n\u2028\u0000\u007f\u0085'
const long = 'x'.repeat(10_000)

describe('a name in a request', () => {
  const model = scriptedModel()
  const server = useServer({ models: model.models, agents: bundledAgents, isOnDisk: true })

  it.each(['ui-message-stream', 'eve', 'native'])(
    'with line breaks forges no header and no frame of %s',
    async (protocol) => {
      model.play([
        step(calls('c\n\ndata: forged', 'jobs_search', { keywords: FORGED })),
        step(says(FORGED, FORGED)),
      ])
      const body = {
        id: `${protocol}${FORGED}`,
        messages: [{ id: FORGED, role: 'user', parts: [{ type: 'text', text: FORGED }] }],
        context: { currentUrl: FORGED },
      }

      const response = await ask(server.url, {
        method: 'POST',
        path: `/jobs/chat?protocol=ui-message-stream`,
        body,
      })
      const run = String(response.headers['x-run-id'])
      const again = await ask(server.url, { path: `/v1/runs/${run}/events?protocol=${protocol}&ids=1` })

      expect(run).toMatch(/^run_[\w-]{12}$/)
      expect(response.headers['x-conversation-id']).toMatch(/^conv_[\w-]{12}$/)
      for (const { status, headers, text } of [response, again]) {
        expect(status).toBe(200)
        expect(headers['x-forged']).toBeUndefined()
        expect(text).not.toContain('\r')
        // Each line is a field that we wrote, with one JSON value.
        const lines = text.split('\n').filter((line) => line !== '')
        expect(
          lines.filter((line) => !/^(id: \d+(\.\d+)?-\w+|data: (\{.*\}|\[DONE\])|: ping)$/su.test(line)),
        ).toEqual([])
        const events = eventsOf(Buffer.from(text)).filter(({ data }) => data !== '[DONE]')
        expect(events.map(({ data }) => typeof JSON.parse(data))).not.toContain('string')
        expect(events.map(({ id }) => id)).not.toContain('999')
      }
    },
  )

  it.each([
    ['?protocol=eve%0d%0ax-forged:%201', {}],
    ['', { 'x-protocol': 'constructor' }],
    ['?protocol=__proto__', {}],
    [`?protocol=${long.slice(0, 5000)}`, {}],
  ])('of an unknown protocol is rejected and not echoed: %s %j', async (query, headers) => {
    const before = await rowsOfEveryTable(server.home)

    const response = await ask(server.url, {
      method: 'POST',
      path: `/jobs/chat${query}`,
      body: { message: 'x' },
      headers,
    })

    expect(response.status).toBe(400)
    expect(response.json['error']).toMatch(/^protocol: must be one of [a-z, -]+\.$/)
    expect(response.headers['x-forged']).toBeUndefined()
    expect(await rowsOfEveryTable(server.home)).toEqual(before)
  })

  it.each([
    '/v1/threads/..%2f..%2fetc%2fpasswd',
    '/v1/threads/%2e%2e/%2e%2e/etc/passwd',
    '/v1/threads/../../../etc/passwd',
    '/v1/runs/..%5c..%5cdragoman.db',
    '/v1/runs/run_%00aaaaaaaaaaa',
    '/v1/runs/run_aaaaaaaaaaaa%0d%0ax-forged:%201',
    '/v1/runs/%ff%fe',
    '/v1/runs/%',
    '/v1/runs/%E0%A4%A/events',
    `/v1/runs/${long}`,
    "/v1/threads/'%20OR%20'1'='1",
    '/v1/threads/__proto__',
    '/v1/runs/constructor/events',
    '/jobs/chat/run_..%2f..%2f..%2fx/stream',
    '/dragoman.db',
    '//etc/passwd',
    '/%2e%2e/dragoman.db',
  ])('cannot traverse a path: %s', async (path) => {
    const response = await exchange(
      server.url,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )

    expect([[404], [204]]).toContainEqual(statuses(response))
    expect(response.toLowerCase()).not.toContain('\nx-forged')
    expect(response).not.toMatch(/SQLITE|root:|node:|\/src\//)
  })

  it.each(['/v1/runs\\..\\x', '/\u0000', 'threads', '*'])(
    'that is not a path is rejected: %j',
    async (path) => {
      const response = await exchange(
        server.url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      )

      expect([[400], [404]]).toContainEqual(statuses(response))
    },
  )

  it.each([
    ['GET', '/jobs/-1'],
    ['GET', '/jobs/1e9'],
    ['GET', '/jobs/1%20OR%201=1'],
    ['GET', '/jobs?offset=-1'],
    ['GET', '/jobs?status=__proto__'],
    ['GET', '/v1/threads?limit=1.5'],
    ['GET', '/v1/threads?limit=NaN'],
    ['GET', '/v1/threads?agent=__proto__'],
    ['GET', '/v1/threads?agent=constructor'],
  ])('or number that is invalid is rejected: %s %s', async (method, path) => {
    expect(await ask(server.url, { method, path })).toMatchObject({
      status: 400,
      json: { code: 'invalid-request' },
    })
  })

  it('in a search is matched literally', async () => {
    for (const words of [
      '"',
      "'; DROP TABLE jobs; --",
      '* OR NEAR(',
      'title:x AND (',
      long.slice(0, 400),
      '\u0000',
    ]) {
      const response = await ask(server.url, { path: `/jobs?search=${encodeURIComponent(words)}` })

      expect(response).toMatchObject({ status: 200, json: { jobs: [], total: 0 } })
    }
  })
})
