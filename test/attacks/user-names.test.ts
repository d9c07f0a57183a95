import { assert, asyncProperty, constant, constantFrom, oneof, string, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { client } from '../support/http.ts'
import { isFull } from '../support/is-full.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { withTokens } from '../support/users.ts'

const OWNERS_ROUTES = [
  ['GET', '/v1/tokens'],
  ['POST', '/v1/tokens', { name: 'mine', user: 'victim' }],
  ['POST', '/v1/tokens', { name: 'mine' }],
  ['DELETE', '/v1/tokens/phone'],
  ['GET', '/v1/users'],
  ['GET', '/v1/nodes'],
  ['GET', '/v1/findings'],
  ['PUT', '/v1/providers/openai', { apiKey: 'sk-of-a-user' }],
  ['DELETE', '/v1/providers/openai'],
] as const

/** Ids that the server gives itself, and what no database can store as it is. */
const REFUSED = [
  'local',
  'guest_',
  'guest_abcdefghijkl',
  '',
  'x'.repeat(201),
  'local\u0000',
  'a\nb',
  '\u007F',
  '\uD800',
  '\uDC00local',
]

const ORDINARY = [
  'LOCAL',
  'Local',
  ' local',
  'local ',
  'lоcal',
  'local\u200B',
  '\uFF4Cocal',
  'detached',
  'once_abc',
  'owner',
  'guest',
  'GUEST_abcdefghijkl',
  'free',
  'unlimited',
  'null',
  'undefined',
  'me',
  '*',
  '%',
  '__proto__',
  'constructor',
  'toString',
  "' OR '1'='1",
  '../local',
  ' ',
  '\u202Elacol',
  '🎲',
  'x'.repeat(200),
]

const allNames = oneof(
  string({ unit: 'binary', maxLength: 220 }),
  constantFrom(...ORDINARY, ...REFUSED).chain((name) =>
    tuple(constant(name), string()).map((parts) => parts.join('')),
  ),
)

describe('the user id of an application', () => {
  const openFor = (whoAsks: () => unknown): Promise<TestServer> =>
    openServer({
      models: scriptedModel().models,
      auth: () => ({ userId: whoAsks() as string }),
    })

  it('is refused in a sentence if the server gives it itself, or if it cannot be stored', async () => {
    let name: unknown
    await using server = await openFor(() => name)
    const { json } = client(server)
    for (name of [...REFUSED, undefined, null, 7, {}, ['local'], new String('local')]) {
      for (const [method, path, body] of [
        ['GET', '/v1/threads'],
        ['POST', '/v1/threads', {}],
        ...OWNERS_ROUTES,
      ] as const) {
        const reply = await json(method, path, body)
        expect([name, path, reply.status]).toEqual([name, path, 403])
      }
    }
  })

  it('gives no rights, whatever it is', async () => {
    let name = ''
    await using server = await openFor(() => name)
    const { json } = client(server)
    for (name of ORDINARY) {
      for (const [method, path, body] of OWNERS_ROUTES)
        expect([name, path, (await json(method, path, body)).status]).toEqual([name, path, 403])
      expect([name, (await json('POST', '/v1/threads', { name: 'mine' })).status]).toEqual([name, 201])
      const { body } = await json('GET', '/v1/threads')
      expect([name, body['threads']]).toEqual([name, [expect.objectContaining({ name: 'mine' })]])
    }
  })

  it('never leads to an error of the server or to a right of the owner', async () => {
    let name = ''
    await using server = await openFor(() => name)
    const { json } = client(server)
    const property = asyncProperty(allNames, constantFrom(...OWNERS_ROUTES), async (id, route) => {
      name = id
      const [method, path, body] = route
      expect((await json(method, path, body)).status).toBe(403)
      expect([200, 403]).toContain((await json('GET', '/v1/threads')).status)
    })
    await assert(property, { numRuns: isFull ? 2000 : 60 })
  })
})

describe('the owner of a server', () => {
  it('is anyone who calls from this machine without a token, or has a token that was made for the owner', async () => {
    await using server = await openServer({ models: scriptedModel().models, users: ['ada'], isOnDisk: true })
    const { json } = client(server)
    const { body } = await json('POST', '/v1/tokens', { name: 'my phone' })

    expect(body).toMatchObject({ token: { user: 'local' } })
    const ask = (secret: unknown) =>
      fetch(`${server.url}/v1/tokens`, { headers: { authorization: `Bearer ${String(secret)}` } })
    expect((await ask(body['secret'])).status).toBe(200)
    expect((await ask(server.token('ada'))).status).toBe(403)
  })

  it('is no user whom a token names', async () => {
    await using server = await openServer({ models: scriptedModel().models, isOnDisk: true, users: ['ada'] })
    const { json } = client(server)

    expect(await json('POST', '/v1/tokens', { name: 'x', user: 'local' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('leave it out') as string },
    })
    await withTokens(server.home, async (all) => {
      await expect(all.create({ name: 'x', userId: 'local' })).rejects.toMatchObject({
        code: 'invalid-request',
      })
    })
  })

  it('is also anyone who has a session of the owner’s token', async () => {
    await using server = await openServer({ models: scriptedModel().models, users: ['ada'], isOnDisk: true })
    const { body } = await client(server).json('POST', '/v1/tokens', { name: 'mine' })
    const tokensFor = async (token: string): Promise<number> => {
      const signedIn = await client(server).post('/auth/sign-in', { token })
      const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
      return (await client(server).get('/v1/tokens', { cookie })).status
    }

    expect(await tokensFor(String(body['secret']))).toBe(200)
    expect(await tokensFor(server.token('ada'))).toBe(403)
  })
})
