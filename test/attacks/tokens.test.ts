import { describe, expect, it } from 'vitest'

import { gate } from '../support/gate.ts'
import { readStored } from '../support/home-storage.ts'
import { chatRequest } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { useServer } from '../support/use-server.ts'
import { bearer, newToken, withTokens } from '../support/users.ts'
import { ask, rowsOfEveryTable } from '../support/wire.ts'

const REVOKED = 'This token is not known here, or it was revoked.'
const MAKES_ONE = 'The owner of the server makes one with: dragoman token create --name NAME'
const UNKNOWN = `${REVOKED} ${MAKES_ONE}`
const LET_IN =
  `${REVOKED} The owner of the server lets this client in with: ` +
  'dragoman token create --name NAME --value TOKEN'
const NEEDED = `A token is needed: send it as "Authorization: Bearer TOKEN". ${MAKES_ONE}`
const NOT_THERE =
  'token: an address may carry it only to GET a stream of events. Send it as "Authorization: Bearer TOKEN".'

describe('tokens', () => {
  const model = scriptedModel()
  const server = useServer({ models: model.models, users: ['ada', 'bob'], isOnDisk: true })

  const chat = { method: 'POST', path: '/jobs/chat', body: chatRequest('hello') }
  const verify = async (headers = {}, query = '') =>
    (await ask(server.url, { path: `/auth/verify${query}`, headers })).json

  it.each([
    ['one that is made up', { authorization: `Bearer dgm_${'A'.repeat(43)}` }],
    ['an empty one', { authorization: 'Bearer' }],
    ['one of another shape', { authorization: 'bearer phone' }],
    ['an extension’s id', { 'x-eve-token': 'abcdefghijklmnopabcdefghijklmnop' }, LET_IN],
    ['a query for all of them', { 'x-eve-token': "' OR '1'='1" }],
  ])('are rejected if they are invalid: %s', async (_what, headers, error = UNKNOWN) => {
    const before = await rowsOfEveryTable(server.home)

    const reply = await ask(server.url, { ...chat, headers })

    expect(reply).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      json: { error, code: 'unauthorized' },
    })
    expect(await rowsOfEveryTable(server.home)).toEqual(before)
  })

  it('are accepted in either header, with any case of the scheme', async () => {
    const ada = server.token('ada')
    const credentials = [bearer(ada), { authorization: `BEARER  ${ada}` }, { 'x-eve-token': ada }]

    expect(await Promise.all(credentials.map((headers) => verify(headers)))).toEqual(
      credentials.map(() => ({ valid: true, user: 'ada', name: 'ada' })),
    )
    // Another scheme is a proxy's own.
    expect(await verify({ authorization: 'Basic YWRhOmFkYQ==' })).toEqual({
      valid: true,
      user: 'local',
      name: null,
    })
    expect(await verify(bearer('dgm_x'))).toEqual({ valid: false, reason: UNKNOWN })
  })

  it('are accepted in a URL only for event streams', async () => {
    const before = await rowsOfEveryTable(server.home)
    const query = `?token=${server.token('ada')}`

    for (const [method, path] of [
      ['POST', '/jobs/chat'],
      ['POST', '/v1/runs/run_aaaaaaaaaaaa/stop'],
      ['POST', '/jobs/chat/x/stream'],
      ['HEAD', '/v1/runs/run_aaaaaaaaaaaa/events'],
      ['GET', '/v1/threads'],
      ['GET', '/jobs'],
      ['GET', '/'],
    ] as const) {
      const reply = await ask(server.url, { method, path: path + query })
      expect([path, reply.status]).toEqual([path, 401])
      if (method !== 'HEAD') expect(reply.json['error']).toBe(NOT_THERE)
    }
    expect(await verify({}, query)).toEqual({ valid: false, reason: NOT_THERE })
    expect(await rowsOfEveryTable(server.home)).toEqual(before)

    model.play([step(says('Hi.'))])
    const { headers } = await ask(server.url, { ...chat, headers: bearer(server.token('ada')) })
    const run = String(headers['x-run-id'])
    const [mine, foreign] = await Promise.all(
      ['ada', 'bob'].map((user) =>
        ask(server.url, { path: `/v1/runs/${run}/events?token=${server.token(user)}` }),
      ),
    )
    expect(mine).toMatchObject({ status: 200, text: expect.stringContaining('Hi.') as string })
    // A stream by its name, which this server has not.
    expect((await ask(server.url, { path: `/jobs/sync${query}` })).status).toBe(404)
    expect(foreign).toMatchObject({ status: 404 })
  })

  it('are neither stored nor shown again', async () => {
    const secret = server.token('ada')
    const stored = await readStored(server.home)

    expect(stored).toContain('auth_tokens')
    expect(stored).not.toContain(secret.slice(4))
    expect(JSON.stringify(await verify(bearer(secret)))).not.toContain(secret.slice(4))
  })

  it('are required with --require-token, except for /health and /ready', async () => {
    await using closed = await openServer({
      models: model.models,
      users: ['ada'],
      isOnDisk: true,
      flags: ['--require-token'],
    })
    const { url } = closed
    const before = await rowsOfEveryTable(closed.home)

    for (const path of ['/docs', '/jobs', '/jobs/agent/status', '/v1/threads', '/nowhere', '/health/x']) {
      expect(await ask(url, { path })).toMatchObject({ status: 401, json: { error: NEEDED } })
    }
    expect(await ask(url, chat)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(await ask(url, { path: '/health', headers: { host: '10.0.0.7:3033' } })).toMatchObject({
      status: 200,
    })
    expect(await ask(url, { path: '/ready' })).toMatchObject({ status: 200 })
    expect((await ask(url, { path: '/auth/verify' })).json).toEqual({ valid: false, reason: NEEDED })
    expect(await rowsOfEveryTable(closed.home)).toEqual(before)
    // As a proxy passes it on.
    const headers = { ...bearer(closed.token('ada')), host: 'chat.example', origin: 'https://chat.example' }
    expect(await ask(url, { path: '/v1/threads', headers })).toMatchObject({ status: 200 })
  })

  it.each([['--host', '0.0.0.0'], ['--require-token']])(
    'must exist before a server starts with %s %s',
    async (...flags: readonly string[]) => {
      const refusal = openServer({ models: model.models, flags })

      await expect(refusal).rejects.toMatchObject({ code: 'invalid-request' })
      await expect(refusal).rejects.toThrow('Make one first: dragoman token create --name NAME --home /')
    },
  )

  it('work at once when created, and close their connections when revoked', async () => {
    const secret = await newToken(server.home, 'eve')
    expect(await verify(bearer(secret))).toMatchObject({ valid: true, user: 'eve' })
    const hold = gate()
    model.play([step(says('Half', hold, ' done.'))])
    const reading = fetch(`${server.url}/jobs/chat`, {
      method: 'POST',
      headers: bearer(secret),
      body: JSON.stringify(chatRequest('go')),
    }).then((response) => response.text())
    await hold.reached

    await withTokens(server.home, (all) => all.revoke('eve'))

    expect(await ask(server.url, { path: '/v1/threads', headers: bearer(secret) })).toMatchObject({
      status: 401,
    })
    // Broken off: a clean end would read as the end of the answer.
    await expect(reading).rejects.toThrow('terminated')
    hold.open()
  })
})
