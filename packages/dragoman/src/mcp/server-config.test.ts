import { describe, expect, it } from 'vitest'

import type { Json } from '../events/index.ts'
import { parseServers } from './server-config.ts'

describe('mcp in config.yaml', () => {
  it('reads no servers, stdio servers and HTTP servers', () => {
    expect(parseServers(null, 'config.yaml')).toEqual([])
    const read = parseServers(
      {
        files: { command: 'npx', args: ['-y', 'server'], env: { KEY: 'x' }, cwd: '/srv', tools: ['read'] },
        notes: {
          url: 'https://notes.example/mcp',
          timeout: '5',
          cache: 0,
          approval: 'never',
          users: ['ada'],
        },
      },
      'config.yaml',
    )

    expect(read).toEqual([
      {
        name: 'files',
        kind: 'stdio',
        command: 'npx',
        args: ['-y', 'server'],
        env: { KEY: 'x' },
        cwd: '/srv',
        tools: ['read'],
        approval: 'writes',
        timeoutMs: 30_000,
      },
      {
        name: 'notes',
        kind: 'http',
        url: 'https://notes.example/mcp',
        headers: {},
        users: ['ada'],
        approval: 'never',
        timeoutMs: 5000,
        cacheMs: 0,
      },
    ])
  })

  const command = 'node'
  it.each<[Json, string]>([
    [[], 'mcp must be a group of servers, each by its name.'],
    [{ '1st': { command } }, 'mcp.1st: the name of a server is a letter and then'],
    [{ a: null }, 'mcp.a must have either command, for a program of this machine, or url.'],
    [{ a: { command, url: 'https://x.example' } }, 'mcp.a must have either command'],
    [{ a: { command: 7 } }, 'mcp.a.command must be text.'],
    [{ a: { command, args: 'x' } }, 'mcp.a.args must be a list of texts.'],
    [{ a: { command, args: ['x', 7] } }, 'mcp.a.args[1] must be text.'],
    [{ a: { command, cwd: 'here' } }, 'mcp.a.cwd must be an absolute path.'],
    [{ a: { command, headers: {} } }, 'mcp.a.headers is not known.'],
    [{ a: { command, approval: 'maybe' } }, 'mcp.a.approval must be one of never, always, writes.'],
    [{ a: { command, timeout: 0 } }, 'mcp.a.timeout must be a whole number of seconds from 1 to 3600.'],
    [{ a: { command, cache: 'long' } }, 'mcp.a.cache must be a whole number of seconds from 0 to 86400.'],
    [{ a: { url: 'ftp://x.example' } }, 'mcp.a.url must be an address like https://host.example/mcp.'],
    [{ a: { url: 'https://me:secret@x.example' } }, 'mcp.a.url must be an address like'],
    [
      { a: { url: 'https://x.example', headers: { 'a b': 'x' } } },
      'mcp.a.headers must have names of headers.',
    ],
    [
      { a: { url: 'https://x.example', headers: { a: 'x\n' } } },
      'mcp.a.headers must have values that a header',
    ],
  ])('%j is refused: %s', (mcp, message) => {
    expect(() => parseServers(mcp, 'config.yaml')).toThrow(message)
  })
})
