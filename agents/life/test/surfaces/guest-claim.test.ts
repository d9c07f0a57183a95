import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { configured, useChat } from '../../../../test/support/configured.ts'
import { gate } from '../../../../test/support/gate.ts'
import { says, step } from '../../../../test/support/scripted-model.ts'
import type { ServerOptions, TestServer } from '../../../../test/support/server.ts'
import { ask } from '../../../../test/support/wire.ts'
import { life } from '../../src/index.ts'
import { lifeGuests, lifeSurfaces } from '../../src/life-surfaces.ts'

const house = configured()
const { as } = house
const CLAIM = '/api/v1/guest/claim'
const STREAM = '/api/v1/chat/v5/stream'
const nothing = { claimed: { profile: [], memories: 0, conversations: 0 } }

const opened = (more: Partial<ServerOptions> = {}) =>
  house.open({ requireToken: true, guests: true }, { agents: [life], ...more })

/** A browser: it keeps the cookie that it is given, and lets go of one whose time is over. */
function browser({ url }: TestServer) {
  let cookie: string | undefined
  return {
    get cookie() {
      return cookie ?? ''
    },
    async send(method: string, path: string, body?: Json, headers: Readonly<Record<string, string>> = {}) {
      const response = await ask(url, {
        method,
        path,
        headers: { ...(cookie !== undefined && { cookie }), ...headers },
        ...(body !== undefined && { body }),
      })
      const [set] = (response.headers['set-cookie'] ?? []) as string[]
      if (set !== undefined) cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0]
      return response
    },
  }
}
const bearerOf = (server: TestServer, user: string) => ({ authorization: `Bearer ${server.token(user)}` })

describe('a guest who gets an account', () => {
  it('takes everything along, and is a guest no more', async () => {
    const { server } = await opened()
    const page = browser(server)
    await page.send('PATCH', '/life/profile', { displayName: '小林', preferences: { zone: 'Asia/Shanghai' } })
    await page.send('POST', '/life/memories', { content: '喜欢爬山' })
    const chat = await page.send('POST', STREAM, useChat('evening'))
    const guest = page.cookie
    const before = await page.send('GET', '/v1/usage')
    const ada = bearerOf(server, 'ada')
    await as('ada')('PATCH', '/life/profile', { displayName: 'Ada' })

    const response = await page.send('POST', CLAIM, undefined, ada)

    const profile = ['preferences.zone']
    expect([response.status, response.json]).toEqual([
      200,
      { claimed: { profile, memories: 1, conversations: 1 } },
    ])
    expect(response.headers['set-cookie']).toEqual([
      'dragoman_guest=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ])
    const { json: own } = await as('ada')('GET', '/life/export')
    expect(own).toMatchObject({ profile: { displayName: 'Ada' }, memories: [{ content: '喜欢爬山' }] })
    const id = String(chat.headers['x-conversation-id'])
    expect((await as('ada')('GET', `/v1/threads/${id}`)).json).toMatchObject({ name: 'evening' })
    expect((await as('ada')('GET', `/v1/runs/${String(chat.headers['x-run-id'])}`)).status).toBe(200)
    expect((await as('ada')('POST', STREAM, useChat('evening', 'm2'))).headers['x-conversation-id']).toBe(id)
    expect(before.json).toMatchObject({ total: { runs: 1 } })
    expect((await as('ada')('GET', '/v1/usage')).json).toMatchObject({ total: { runs: 1 } })

    const stale = await ask(server.url, { path: '/life/export', headers: { cookie: guest } })
    expect(stale.json).toMatchObject({ memories: [] })
    expect(stale.headers['set-cookie']).toEqual([expect.not.stringContaining(guest.slice(0, 30))])
    const again = await as('ada')('POST', CLAIM, undefined, { cookie: guest })
    expect([again.status, again.json]).toEqual([200, nothing])
    expect((await page.send('POST', CLAIM, undefined, ada)).status).toBe(404)
  })

  it('becomes one account’s, though two ask at once', async () => {
    const { server } = await opened()
    const page = browser(server)
    for (const content of ['喜欢爬山', 'has a sister']) await page.send('POST', '/life/memories', { content })
    await page.send('POST', STREAM, useChat('evening'))
    const { cookie } = page

    const response = await Promise.all(
      ['ada', 'bob', 'ada', 'bob'].map((user) => as(user)('POST', CLAIM, undefined, { cookie })),
    )

    const [[first, second], losers] =
      response[0]?.status === 200
        ? [
            ['ada', 'bob'],
            [1, 3],
          ]
        : [
            ['bob', 'ada'],
            [0, 2],
          ]
    for (const at of losers) expect(response[at]).toMatchObject({ status: 409, json: { code: 'conflict' } })
    const count = async (user = '') => [
      ((await as(user)('GET', '/life/export')).json['memories'] as unknown[]).length,
      ((await as(user)('GET', '/v1/threads')).json['threads'] as unknown[]).length,
    ]
    expect([await count(first), await count(second)]).toEqual([
      [2, 1],
      [0, 0],
    ])
  })

  it('waits until they have been answered, and stays a guest so long', async () => {
    const { server, model } = await opened()
    const page = browser(server)
    await page.send('POST', '/life/memories', { content: '喜欢爬山' })
    const hold = gate()
    model.play([step(says('Half', hold))])
    const chat = page.send('POST', STREAM, useChat('evening'))
    await hold.reached
    const ada = bearerOf(server, 'ada')

    const early = await page.send('POST', CLAIM, undefined, { ...ada, 'accept-language': 'zh' })
    const listed = await page.send('GET', '/life/memories')
    hold.open()
    await chat
    const late = await page.send('POST', CLAIM, undefined, ada)

    expect([early.status, early.json]).toEqual([
      409,
      expect.objectContaining({ code: 'thread-busy', error: expect.stringContaining('请等它结束') }),
    ])
    expect(listed.json['memories']).toHaveLength(1)
    expect(late.json).toEqual({ claimed: { profile: [], memories: 1, conversations: 1 } })
  })

  it('gets the rest by asking again, where it was cut off in the middle', async () => {
    const done = { profile: ['birth'], memories: 2 }
    let times = 0
    const merge = async (): Promise<typeof done> => {
      times += 1
      if (times === 1) throw new Error('The disk is gone.')
      return done
    }
    const merged = z.object({ profile: z.array(z.string()).default([]), memories: z.int().default(0) })
    const userData = { merge, merged, erase: async () => undefined, export: async () => null }
    const { server } = await house.open(
      { requireToken: true, guests: true },
      { agent: { id: 'life' }, capability: { userData, surfaces: lifeSurfaces('life'), guests: lifeGuests } },
    )
    const page = browser(server)
    await page.send('POST', STREAM, useChat('evening'))
    const ada = bearerOf(server, 'ada')

    const first = await page.send('POST', CLAIM, undefined, ada)
    const other = await page.send('POST', CLAIM, undefined, bearerOf(server, 'bob'))
    const again = await page.send('POST', CLAIM, undefined, ada)

    expect([first.status, other.status]).toEqual([500, 409])
    expect(again.json).toEqual({ claimed: { ...done, conversations: 1 } })
    expect((await as('ada')('GET', '/v1/threads')).json['threads']).toHaveLength(1)
  })

  it('is asked for by an account alone, and with a cookie of ours', async () => {
    const { server } = await opened()
    const page = browser(server)
    await page.send('POST', '/life/memories', { content: '喜欢爬山' })
    const forged = `${page.cookie.slice(0, -2)}AA`

    expect((await page.send('POST', CLAIM)).json).toMatchObject({ code: 'forbidden' })
    expect((await ask(server.url, { method: 'POST', path: CLAIM })).status).toBe(403)
    for (const headers of [{}, { cookie: forged }, { cookie: 'dragoman_guest=ada' }]) {
      const response = await as('ada')('POST', CLAIM, undefined, headers)
      expect([response.status, response.json['error']]).toEqual([
        404,
        expect.stringContaining('the cookie dragoman_guest is missing'),
      ])
    }
    expect((await page.send('GET', '/life/memories')).json['memories']).toHaveLength(1)
  })

  it('may be the user of this machine, once it asks for no token', async () => {
    const { server } = await opened({ isOnDisk: true })
    const page = browser(server)
    await page.send('POST', '/life/memories', { content: '喜欢爬山' })
    const { server: own } = await house.open({}, { agents: [life], isOnDisk: true })

    const response = await ask(own.url, { method: 'POST', path: CLAIM, headers: { cookie: page.cookie } })

    expect(response.json).toEqual({ claimed: { profile: [], memories: 1, conversations: 0 } })
    expect((await ask(own.url, { path: '/life/memories' })).json['memories']).toHaveLength(1)
  })
})
