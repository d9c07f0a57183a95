import { describe, expect, it } from 'vitest'

import { isOnPostgres } from '../../packages/dragoman/src/testing/test-storage.fixture.ts'
import { client } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'

const ROUTES = [
  ['GET', '/v1/tokens'],
  ['POST', '/v1/tokens'],
  ['DELETE', '/v1/tokens/phone'],
  ['GET', '/v1/users'],
  ['GET', '/v1/nodes'],
  ['GET', '/v1/findings'],
  ['GET', '/v1/load'],
] as const

describe('the routes of the owner', () => {
  it('create, list and revoke tokens, whose requests are refused at once', async () => {
    await using server = await openServer({ models: scriptedModel().models })
    const { json } = client(server)

    const { status, body } = await json('POST', '/v1/tokens', { name: 'phone', user: 'ada' })

    expect(status).toBe(201)
    const { secret, token } = body as { secret: string; token: { id: string } }
    expect(token).toEqual({
      id: expect.stringMatching(/^tok_/),
      name: 'phone',
      user: 'ada',
      createdAt: expect.any(String),
      lastUsedAt: null,
    })
    const asAda = { headers: { authorization: `Bearer ${secret}` } }
    expect(await (await fetch(`${server.url}/auth/verify`, asAda)).json()).toMatchObject({ user: 'ada' })
    const listed = await json('GET', '/v1/tokens')
    expect(listed.body).toMatchObject({ tokens: [{ id: token.id, name: 'phone' }] })
    expect(JSON.stringify(listed.body)).not.toContain(secret)
    expect(await json('POST', '/v1/tokens', { name: 'phone', user: 'bob' })).toMatchObject({ status: 409 })
    expect(await json('POST', '/v1/tokens', { name: '', user: 'bob' })).toMatchObject({ status: 400 })
    expect((await client(server).send('DELETE', `/v1/tokens/${token.id}`)).status).toBe(204)
    expect(await json('DELETE', '/v1/tokens/phone')).toMatchObject({ status: 404 })
    expect(await (await fetch(`${server.url}/auth/verify`, asAda)).json()).toMatchObject({ valid: false })
  })

  it('list users with what they have used', async () => {
    await using server = await openServer({ models: scriptedModel([step(says('Hello.'))]).models })
    const { json, post } = client(server)
    await json('POST', '/v1/tokens', { name: 'phone', user: 'ada' })
    const { body } = await json('POST', '/v1/threads', {})
    await (await post(`/v1/threads/${String(body['id'])}/runs`, { message: 'hi' })).text()

    const users = [
      expect.objectContaining({ user: 'local', tokens: 0, runs: 1, lastRunAt: expect.any(String) }),
      { user: 'ada', tokens: 1, runs: 0, inputTokens: 0, outputTokens: 0, lastRunAt: null },
    ]
    // Runs are counted in the background.
    await expect.poll(async () => (await json('GET', '/v1/users')).body).toEqual({ users })
  })

  it('show what callers hold', async () => {
    await using server = await openServer({ models: scriptedModel().models, limits: { requests: 7 } })

    const { body } = await client(server).json('GET', '/v1/load')

    const { load } = body as { load: { kind: string; pool: string }[] }
    expect(load.filter(({ kind }) => kind === 'requests')).toEqual([
      { kind: 'requests', pool: 'users', used: 1, limit: 7, refusals: 0 },
      { kind: 'requests', pool: 'guests', used: 0, limit: 4, refusals: 0 },
      { kind: 'requests', pool: 'addresses', used: 0, limit: 128, refusals: 0 },
    ])
    expect(load.find(({ kind }) => kind === 'readers')).toMatchObject({ limit: null })
  })

  it('show what agents lack, also if one of them cannot be examined', async () => {
    await using server = await openServer({
      models: scriptedModel().models,
      capability: {
        doctor: () => Promise.reject(new Error('secret path')),
      },
    })
    const { json } = client(server)

    const { body } = await json('GET', '/v1/findings')

    expect(body).toMatchObject({
      node: process.version,
      findings: [{ level: 'problem', text: expect.stringContaining('A check failed') }],
    })
    expect(JSON.stringify(body)).not.toContain('secret path')
    const lives = async (): Promise<boolean[]> => {
      const { nodes } = (await json('GET', '/v1/nodes')).body as { nodes: { isAlive: boolean }[] }
      return nodes.map(({ isAlive }) => isAlive)
    }
    // Only nodes that share a database report, a moment after their start.
    await expect.poll(lives).toEqual(isOnPostgres ? [true] : [])
  })

  it.each(ROUTES)('refuse other users: %s %s', async (method, path) => {
    await using server = await openServer({ models: scriptedModel().models })
    const { json } = client(server)
    const { body } = await json('POST', '/v1/tokens', { name: 'phone', user: 'ada' })

    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${String(body['secret'])}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify({ name: 'mine', user: 'local' }) }),
    })

    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: expect.stringContaining('Only the owner') })
  })
})
