import { describe, expect, it } from 'vitest'

import { callerHeaders } from './caller-headers.ts'
import { parseServers, type HttpServer } from './server-config.ts'

function at(url: string, headers = {}): HttpServer {
  const [server] = parseServers({ notes: { url, headers } }, 'config.yaml')
  if (server?.kind !== 'http') throw new Error('It is spoken to by HTTP.')
  return server
}

describe('headers of the caller', () => {
  it.each([
    ['https://api.x.com', 'https://api.x.com/mcp', true],
    ['https://api.x.com/', 'https://api.x.com/mcp', true],
    ['https://api.x.com/**', 'https://api.x.com/mcp', true],
    ['https://API.x.com', 'https://api.x.com/mcp', true],
    ['https://*.x.com', 'https://api.x.com/mcp', true],
    ['https://api-*.x.com', 'https://api-2.x.com/mcp', true],
    ['https://api.x.com:443', 'https://api.x.com/mcp', true],
    ['https://api.x.com:8443', 'https://api.x.com:8443/mcp', true],
    ['http://localhost:3001', 'http://localhost:3001/mcp', true],
    ['http://127.0.0.1:3001', 'http://127.0.0.1:3001/mcp', true],
    ['https://*.x.com', 'https://x.com/mcp', false],
    ['https://*.x.com', 'https://a.b.x.com/mcp', false],
    ['https://*.x.com', 'https://evil-x.com/mcp', false],
    ['https://*', 'https://api.x.com/mcp', false],
    ['*', 'https://api.x.com/mcp', false],
    ['**', 'https://api.x.com/mcp', false],
    ['https://api.x.com', 'https://api.x.com:8443/mcp', false],
    ['https://api.x.com:*', 'https://api.x.com:8443/mcp', false],
    ['https://a*a*.x.com', 'https://aaa.x.com/mcp', false],
    ['http://api.x.com', 'http://api.x.com/mcp', false],
    ['http://api.x.com', 'https://api.x.com/mcp', false],
    ['https://api.x.com/other', 'https://api.x.com/mcp', false],
    ['https://me@api.x.com', 'https://api.x.com/mcp', false],
  ])('for %s go to %s: %s', (pattern, url, goes) => {
    const secrets = { mcpHeaders: { [pattern]: { headers: { 'X-Key': 'adas' } } } }

    expect(callerHeaders(at(url), secrets)).toEqual(goes ? { 'x-key': 'adas' } : {})
  })

  it('never replaces configured headers or headers of the protocol', () => {
    const server = at('https://api.x.com/mcp', { Authorization: 'Bearer ours' })
    const headers = {
      authorization: 'Bearer mine',
      Host: 'other.example',
      'Content-Length': '0',
      'mcp-session-id': 'theirs',
      'X-Forwarded-For': '127.0.0.1',
      'x-broken': 'a\r\nb: c',
      'x-team': 'blue',
    }

    expect(callerHeaders(server, { mcpHeaders: { 'https://api.x.com': { headers } } })).toEqual({
      'x-team': 'blue',
    })
  })

  it.each([null, 7, {}, { mcpHeaders: [] }, { mcpHeaders: { 'https://api.x.com': { headers: { a: 1 } } } }])(
    'sends no headers for %j',
    (secrets) => {
      expect(callerHeaders(at('https://api.x.com/mcp'), secrets)).toEqual({})
    },
  )
})
