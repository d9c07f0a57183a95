import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { useProcesses } from '../support/use-processes.ts'
import { ask } from '../support/wire.ts'

describe('POST /auth/pair', () => {
  const processes = useProcesses()
  let server: TestServer
  beforeAll(async () => {
    server = await openServer({ models: scriptedModel().models, flags: ['--require-token'], users: ['ada'] })
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const pair = (body: Json, headers = {}) =>
    ask(server.url, { method: 'POST', path: '/auth/pair', body, headers })

  it('shows a code to the owner alone, and exchanges it for a token', async () => {
    const env = { PATH: process.env['PATH'] ?? '' }
    const child = processes.start(['--port', '0', '--home', processes.home, '--log-level', 'error'], env)
    const url = await child.ready
    const post = (body: Json) => ask(url, { method: 'POST', path: '/auth/pair', body })

    const first = await post({ name: 'Wall-E' })

    expect(first).toMatchObject({ status: 202, json: { success: false, expiresIn: 300 } })
    await expect.poll(() => child.output.stderr).toContain('a client asks to be let in')
    const [code = ''] = /[A-Z\d]{4}-[A-Z\d]{4}/.exec(child.output.stderr) ?? []
    expect(first.text).not.toContain(code)
    const { status, json } = await post({ code })
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { success: true, name: expect.stringMatching(/^Wall-E /) },
    })
    const headers = { 'x-eve-token': String(json['token']) }
    expect((await ask(url, { path: '/auth/verify', headers })).json).toMatchObject({
      valid: true,
      user: 'local',
    })
    expect((await post({ code })).status).toBe(401)
    expect(child.output.stderr).not.toContain(String(json['token']))
  })

  it('needs no token, refuses a wrong code, and shows another one as often as it is asked', async () => {
    expect((await pair({ code: 'AAAA-AAAA' })).status).toBe(401)
    expect((await pair({ code: 1 })).status).toBe(400)
    for (let count = 0; count < 5; count++) expect((await pair({})).status).toBe(202)
  })

  it('is for this machine and its own pages', async () => {
    expect((await pair({}, { host: 'evil.example' })).status).toBe(403)
    expect((await pair({}, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(403)
    expect((await pair({}, { origin: 'https://evil.example' })).status).toBe(403)
  })
})
