import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { run, SQLITE_BIN } from '../../../test/support/process.ts'
import { postJson } from '../../../test/support/http.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'

type Line = Record<string, unknown> & { level: number; msg: string }

function linesOf(stderr: string): Line[] {
  const json = stderr.split('\n').filter((line) => line.startsWith('{'))
  return json.map((line) => JSON.parse(line) as Line)
}

describe('the process log', () => {
  let home: string
  beforeEach(async () => {
    home = await createTempDir()
  })

  it('has no configured secret and nothing that looks like a key', async () => {
    const secret = 'correct-horse-battery'
    const folder = `/nowhere/sk-ant-api03-SECRETSECRET/${secret}`
    const args = ['--port', '0', '--home', home, '--root', folder]
    const server = run(args, { SERVICE_PASSWORD: secret })
    await server.ready

    const { stderr } = await server.stop()

    expect(stderr).toContain('[key] is served, but is no folder.')
    expect(stderr).not.toContain(secret)
    expect(stderr).not.toContain('SECRETSECRET')
  })

  it('has a JSON line for each start, warning, request and stop', async () => {
    await mkdir(join(home, 'agents', 'nobody'), { recursive: true })
    const nowhere = join(home, 'nowhere')
    const server = run(['--port', '0', '--home', home, '--log-level', 'debug', '--root', nowhere])
    const url = await server.ready
    const answer = await postJson(`${url}/jobs/chat?x=1`, {
      messages: [{ role: 'user', content: 'hi' }],
      options: { stream: false },
    })
    await answer.text()
    await (await fetch(`${url}/nowhere`)).text()

    const { code, stdout, stderr } = await server.stop()

    expect(code).toBe(0)
    expect(stdout).toBe(`dragoman ready ${url}\n`)
    const ms = expect.any(Number)
    const runId = answer.headers.get('x-run-id')
    const user = expect.stringMatching(/^[0-9a-f]{16}$/)
    const node = expect.stringMatching(/\/\d+$/)
    const thread = expect.stringContaining('conv_')
    const of = { level: 20, user, thread, run: runId, agent: 'jobs', node, attempt: 1 }
    const isOfRun = ({ msg }: Line): boolean => msg.startsWith('run ')
    expect(linesOf(stderr).filter(isOfRun)).toMatchObject([
      { ...of, msg: 'run begun', protocol: 'eve' },
      { ...of, msg: 'run over', outcome: 'finished', model: 'offline', steps: 1, outputTokens: ms, ms },
    ])
    expect(linesOf(stderr).filter((line) => !isOfRun(line))).toMatchObject([
      { level: 40, msg: 'passed over', problem: `${nowhere} is served, but is no folder.` },
      { level: 40, msg: 'passed over', problem: expect.stringContaining('agents/nobody') },
      { level: 30, msg: 'listening', url, home, model: { jobs: 'offline' } },
      {
        level: 20,
        msg: 'answered',
        method: 'POST',
        path: '/jobs/chat',
        status: 200,
        ms,
        user,
        run: runId,
      },
      { level: 20, msg: 'answered', method: 'GET', path: '/nowhere', status: 404, ms },
      { level: 30, msg: 'draining: begins no new runs', runs: 0 },
      { level: 30, msg: 'stopped', home },
    ])
  })

  it('names a user whom it refuses something by a hash, once a minute', async () => {
    const value = 'token-of-ada-0123456789'
    const ada = ['--name', 'phone', '--user', 'ada', '--value', value]
    await run(['token', 'create', ...ada, '--home', home], {}, ':', SQLITE_BIN).ended
    const args = ['--port', '0', '--home', home, '--rate-limit', '1', '--require-token']
    const server = run(args, {}, ':', SQLITE_BIN)
    const url = await server.ready
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${value}` }
    const ask = async (): Promise<number> => {
      const response = await fetch(`${url}/jobs/chat`, { method: 'POST', headers, body: '{"message":"hi"}' })
      await response.text()
      return response.status
    }

    expect([await ask(), await ask(), await ask()]).toEqual([200, 429, 429])
    const { stderr } = await server.stop()

    const lines = linesOf(stderr).filter(({ msg }) => msg === 'request refused')
    expect(lines).toMatchObject([
      {
        level: 40,
        user: expect.stringMatching(/^[0-9a-f]{16}$/),
        kind: 'rate-limit',
        route: '/jobs/chat',
        count: 1,
      },
    ])
    expect(stderr).not.toContain('ada')
  })

  it.each([
    [['--log-level', 'loud'], 2, '--log-level must be one of'],
    [['--home', '/dev/null/home'], 1, 'cannot be used'],
  ])('reports a failed start: %j', async (args, code, reason) => {
    const ended = await run(['--port', '0', '--home', home, ...args], {}, ':', SQLITE_BIN).ended

    expect(ended.code).toBe(code)
    expect(linesOf(ended.stderr)).toMatchObject([
      { level: 60, msg: 'refused', reason: expect.stringContaining(reason) },
    ])
    expect(ended.stderr).toMatch(/^dragoman: /m)
  })

  describe('with a provider that echoes secrets', () => {
    let provider: Server
    beforeEach(async () => {
      provider = createServer((request, response) => {
        const { authorization } = request.headers
        // It takes the key as it is saved, and refuses it later.
        if (request.url?.endsWith('/models')) return response.end('{"data": []}')
        const error = { message: `Wrong key ${authorization}`, type: authorization, code: authorization }
        response.writeHead(401, { 'content-type': 'application/json', 'x-key': String(authorization) })
        return response.end(JSON.stringify({ error }))
      })
      await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    })
    afterEach(() => new Promise((resolve) => provider.close(resolve)))

    it('never contains a key that was saved while it runs', async () => {
      const { port } = provider.address() as AddressInfo
      const secret = 'correct horse battery staple'.replaceAll(' ', '-')
      const server = run(['--port', '0', '--home', home, '--log-level', 'trace'], {
        OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      })
      const url = await server.ready
      const send = (method: string, path: string, body: object) =>
        fetch(`${url}${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      expect((await send('PUT', '/v1/providers/openai', { apiKey: secret, model: 'any' })).status).toBe(204)

      const answer = await (await send('POST', '/jobs/chat', { message: 'Hello' })).text()
      const { stderr } = await server.stop()

      expect(answer).toContain('refused the key')
      expect(stderr).toContain('model-unauthorized')
      expect(stderr).not.toContain(secret)
    })

    it('never contains a key or a token', async () => {
      const { port } = provider.address() as AddressInfo
      const secret = 'sk-very-secret-0123456789'
      await writeFile(join(home, 'config.yaml'), 'model: ${MODEL}\n')
      const server = run(['--port', '0', '--home', home, '--log-level', 'trace'], {
        OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
        OPENAI_API_KEY: secret,
        // A collector that says no, and quotes what it was sent.
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secret}`,
        OTEL_BSP_SCHEDULE_DELAY: '1',
        MODEL: 'openai:any',
      })
      const url = await server.ready
      const json = { 'content-type': 'application/json' }
      const headers = {
        ...json,
        authorization: `Bearer ${secret}`,
        'x-eve-token': secret,
        'last-event-id': secret,
        'idempotency-key': secret,
      }
      const body = JSON.stringify({
        messages: [{ role: 'user', content: secret }],
        options: { stream: false, apiKey: secret },
      })
      const statuses: number[] = []
      const ask = async (path: string, init: RequestInit): Promise<void> => {
        const response = await fetch(`${url}${path}`, init)
        await response.text()
        statuses.push(response.status)
      }
      const query = `?token=${secret}&key=${secret}`

      await ask('/jobs/chat', { method: 'POST', headers: json, body })
      await ask('/jobs/chat', { method: 'POST', headers: json, body: `{"key": "${secret}` })
      await ask(`/jobs/chat${query}`, { method: 'POST', headers, body: JSON.stringify({ messages: secret }) })
      await ask(`/jobs${query}`, { method: 'POST', headers, body: JSON.stringify({ url: secret }) })
      await ask(`/v1/threads${query}`, { headers })
      await ask(`/nowhere${query}`, { headers })
      const { stderr } = await server.stop()

      expect(statuses[0]).toBe(401)
      expect(stderr).toContain('takes no telemetry (401)')
      expect(linesOf(stderr).filter(({ msg }) => msg === 'run failed')).toMatchObject([
        {
          level: 40,
          user: expect.stringMatching(/^[0-9a-f]{16}$/),
          thread: expect.stringContaining('conv_'),
          run: expect.stringContaining('run_'),
          agent: 'jobs',
          model: 'openai:any',
          code: 'model-unauthorized',
          reason:
            'The model provider refused the key for openai:any. Check OPENAI_API_KEY. ' +
            'The provider says: Wrong key Bearer [key].',
        },
      ])
      expect(linesOf(stderr).filter(({ level }) => level >= 50)).toEqual([])
      expect(linesOf(stderr).filter(({ msg }) => msg === 'answered')).toHaveLength(statuses.length)
      expect(stderr).not.toContain(secret)
      expect(stderr).not.toContain(Buffer.from(secret).toString('base64'))
    })
  })
})
