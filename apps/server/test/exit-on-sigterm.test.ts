import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { run } from '../../../test/support/process.ts'

const messages = [{ role: 'user', content: 'Find TypeScript jobs' }]

it.each([
  ['a whole answer', { messages, options: { stream: false } }],
  ['a stream', { messages }],
])('exits at once on SIGTERM after %s', async (_name, body) => {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  const server = run(['--port', '0', '--home', home], {
    PATH: process.env['PATH'] ?? '',
    DRAGOMAN_OFFLINE_PACE: '0',
  })
  try {
    const url = await server.ready
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const response = await fetch(`${url}/jobs/chat`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    await response.text()

    expect(await server.stop()).toMatchObject({ code: 0 })
  } finally {
    server.kill()
    await rm(home, { recursive: true, force: true })
  }
})
