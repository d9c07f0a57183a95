import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it } from 'vitest'

import { testServices } from '../../agents/agent-services.fixture.ts'
import { migrate, openDatabase } from '../../database/index.ts'
import { createSafeFetch } from '../../safe-fetch/index.ts'
import { mcpFeature } from '../mcp-feature.ts'
import { call } from '../mcp.fixture.ts'
import { oauthNotes } from '../oauth-server.fixture.ts'
import { parseServers, type HttpServer } from '../server-config.ts'
import { databaseSignIns, signInMigrations } from './sign-in-store.ts'
import { createSignIns } from './sign-ins.ts'

const REDIRECT_URL = 'http://127.0.0.1:3999/callback'

const scopeOf = (userId: string) => ({
  userId,
  threadId: 'conv_test',
  context: {},
  secrets: null,
  signal: new AbortController().signal,
})

/** Users and one server. `now` is the clock of the sign-ins. */
async function open(url: string) {
  const db = openDatabase(':memory:')
  await migrate(db, signInMigrations)
  const key = randomBytes(32)
  const store = databaseSignIns(db, async () => [key])
  const safeFetch = createSafeFetch({ privateHosts: [], version: 'test' })
  const [server] = parseServers({ notes: { url } }, 'config.yaml') as readonly HttpServer[]
  if (!server) throw new Error('It is named above.')
  let now = Date.now()
  const findDocument = async () => undefined
  const signIns = createSignIns({ store, safeFetch, env: {}, now: () => now, findDocument })
  const services = { ...testServices({ safeFetch }), signIns: store }
  const feature = mcpFeature([server], services)
  const other = mcpFeature([server], services)
  const ended = new AbortController()
  const background = Promise.all([feature.background(ended.signal), other.background(ended.signal)])
  const begin = async (userId = 'ada') => {
    const address = await signIns.begin({ userId, server }, REDIRECT_URL)
    const answer = await fetch(address, { redirect: 'manual' })
    return answer.headers.get('location') ?? ''
  }
  const complete = async (redirected: string, userId = 'ada') =>
    signIns.complete(userId, redirected, () => server)
  return {
    db,
    store,
    signIns,
    server,
    begin,
    complete,
    signIn: async () => complete(await begin()),
    later(ms: number) {
      now += ms
    },
    /** What another agent is offered, with a connection of its own. */
    offeredToOther: async () => other.toolsFor(scopeOf('ada')),
    offered: async (userId = 'ada') => feature.toolsFor(scopeOf(userId)),
    conditions: async () => (await feature.conditions()).map(({ note }) => note),
    async [Symbol.asyncDispose]() {
      ended.abort()
      await background
      await db.destroy()
    },
  }
}

const asksToSignIn = (again = '') => ({
  tools: [],
  notes: [`The tools of the MCP server notes cannot be used now: its user must sign in${again}.`],
})

describe('the sign-in at an MCP server', () => {
  it('gives its user, and no one else, the tools', async () => {
    await using notes = await oauthNotes()
    await using at = await open(notes.url)
    expect(await at.offered()).toMatchObject(asksToSignIn())
    expect(await at.conditions()).toEqual(['MCP: notes has no tools now: its user must sign in.'])

    await at.signIn()

    const [whoami] = (await at.offered()).tools
    expect(whoami?.name).toBe('notes_whoami')
    expect((await whoami?.execute({}, call()))?.text).toBe(notes.clients[0]?.client_id)
    expect(await at.offered('bob')).toMatchObject(asksToSignIn())
    expect(notes.clients).toMatchObject([{ client_name: 'dragoman', redirect_uris: [REDIRECT_URL] }])
  })

  it('is renewed once for calls at the same time', async () => {
    await using notes = await oauthNotes()
    await using at = await open(notes.url)
    await at.signIn()
    const [whoami] = (await at.offered()).tools
    const [others] = (await at.offeredToOther()).tools
    notes.expireAccess()

    const results = await Promise.all(
      [whoami, whoami, others, others].map(async (tool) => tool?.execute({}, call())),
    )

    expect(results.map((result) => result?.text)).toEqual(Array(4).fill(notes.clients[0]?.client_id))
    expect(notes.renewals).toBe(1)
    expect(notes.clients).toHaveLength(1)
  })

  it('ends with its refresh token, and can be done again', async () => {
    await using notes = await oauthNotes()
    await using at = await open(notes.url)
    await at.signIn()
    const [whoami] = (await at.offered()).tools
    notes.expireAccess()
    notes.revoke()

    await expect(whoami?.execute({}, call())).rejects.toMatchObject({
      code: 'tool-failed',
      message: 'The MCP server notes gave no answer: its user must sign in again.',
    })
    expect(await at.signIns.isSignedIn({ userId: 'ada', server: at.server })).toBe(false)
    expect(await at.offered()).toMatchObject(asksToSignIn())
    await at.signIn()
    expect((await at.offered()).tools).toHaveLength(1)
    await at.signIn()
    // A client whose tokens have ended may be forgotten at its server.
    expect(notes.clients).toHaveLength(2)
  })

  it('is forgotten with its user and when they sign out', async () => {
    await using notes = await oauthNotes()
    await using at = await open(notes.url)
    await at.signIn()
    await at.signIns.end({ userId: 'ada', server: at.server })
    expect(await at.offered()).toMatchObject(asksToSignIn())
    await at.signIn()
    await at.store.forget('ada')
    expect(await at.offered()).toMatchObject(asksToSignIn())
  })

  it('is sealed in the database, for the row of its user alone', async () => {
    await using notes = await oauthNotes()
    await using at = await open(notes.url)
    await at.signIn()
    const tables = at.db.withTables<{ mcp_sign_ins: { user_id: string; part: string; sealed: string } }>()
    const rows = await tables.selectFrom('mcp_sign_ins').selectAll().execute()
    const grant = (await at.store.read({ userId: 'ada', url: notes.url }, 'grant')) as { tokens: object }

    expect(rows.map(({ part }) => part)).toEqual(['grant'])
    for (const token of Object.values(grant.tokens)) expect(rows[0]?.sealed).not.toContain(token)
    await tables.updateTable('mcp_sign_ins').set({ user_id: 'bob' }).execute()
    expect(await at.store.read({ userId: 'bob', url: notes.url }, 'grant')).toBeUndefined()
    const other = databaseSignIns(at.db, async () => [randomBytes(32)])
    expect(await other.read({ userId: 'bob', url: notes.url }, 'grant')).toBeUndefined()
  })

  it('is completed by the user who began it, once and in time', async () => {
    await using notes = await oauthNotes()
    await using at = await open(notes.url)
    const redirected = await at.begin()
    const refusal = { code: 'invalid-request', message: expect.stringContaining('there is no such sign-in') }

    await expect(at.complete(redirected, 'bob')).rejects.toMatchObject(refusal)
    await at.complete(redirected)
    await expect(at.complete(redirected)).rejects.toMatchObject(refusal)
    const late = await at.begin()
    at.later(3_600_000)
    await expect(at.complete(late)).rejects.toMatchObject(refusal)
    await expect(at.complete('http://127.0.0.1:3999/callback')).rejects.toMatchObject({
      message: 'url must be the whole address that the browser was sent back to, with state and code.',
    })
  })

  it('says that it was refused', async () => {
    await using notes = await oauthNotes()
    await using at = await open(notes.url)
    notes.refuse()
    await expect(at.signIn()).rejects.toMatchObject({
      code: 'denied',
      message: 'The sign-in at notes was refused.',
    })
  })

  it('asks no private address that a server names', async () => {
    const requests: (string | undefined)[] = []
    const inner = createServer((request, response) => {
      requests.push(request.url)
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
    const { port } = inner.address() as AddressInfo
    const outer = createServer((request, response) => {
      if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
        return response.setHeader('content-type', 'application/json').end(
          JSON.stringify({
            resource: `http://localhost:${(outer.address() as AddressInfo).port}/mcp`,
            authorization_servers: [`http://127.0.0.1:${port}`],
          }),
        )
      return response.writeHead(401).end()
    })
    await new Promise<void>((resolve) => outer.listen(0, 'localhost', resolve))
    await using at = await open(`http://localhost:${(outer.address() as AddressInfo).port}/mcp`)

    await expect(at.begin()).rejects.toMatchObject({ code: 'forbidden' })

    expect(requests).toEqual([])
    for (const server of [inner, outer]) {
      server.closeAllConnections()
      server.close()
    }
  })
})
