import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { bearer } from '../support/users.ts'
import { ask } from '../support/wire.ts'

const THREADS = 8
const url = `data:image/png;base64,${'A'.repeat(3_000_000)}`
const picture = { parts: [{ type: 'file', mediaType: 'image/png', url }] }

describe('a user who sends many large pictures at once', () => {
  let server: TestServer
  beforeAll(async () => {
    const { models } = scriptedModel(Array.from({ length: 60 }, () => step(says('A cat.'))))
    server = await openServer({ models, users: ['ada', 'bob'], isOnDisk: true })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const as = (user: string, method: string, path: string, body?: Parameters<typeof ask>[1]['body']) =>
    ask(server.url, {
      method,
      path,
      headers: bearer(server.token(user)),
      ...(body !== undefined && { body }),
    })
  const open = async (user: string): Promise<string> =>
    String((await as(user, 'POST', '/v1/threads', {})).json['id'])

  it('lets others chat in between, and gets all answers', async () => {
    const threads = await Promise.all(Array.from({ length: THREADS }, () => open('ada')))
    const bobsThread = await open('bob')
    let ended = 0
    const sending = threads.map(async (id) => {
      const { status } = await as('ada', 'POST', `/v1/threads/${id}/runs`, picture)
      ended += 1
      return status
    })
    const bobs = await as('bob', 'POST', `/v1/threads/${bobsThread}/runs`, { message: 'Hello.' })

    expect(bobs.status).toBe(200)
    expect(bobs.text).toContain('A cat.')
    expect(ended).toBeLessThan(THREADS)
    expect(new Set(await Promise.all(sending))).toEqual(new Set([200]))
  })

  it('has them in the thread, which goes on with them', async () => {
    const id = await open('ada')
    for (const message of [picture, picture, { message: 'And now?' }])
      expect((await as('ada', 'POST', `/v1/threads/${id}/runs`, message)).status).toBe(200)

    const { messages } = (await as('ada', 'GET', `/v1/threads/${id}/messages`)).json as {
      messages: { role: string; parts: { url?: string }[] }[]
    }
    const urls = messages.flatMap(({ role, parts: [part] }) => (role === 'user' ? [part?.url] : []))
    expect(urls).toEqual([expect.stringMatching(/^\/v1\/files\//), urls[0], undefined])
    const stored = await as('ada', 'GET', urls[0] ?? '')
    expect(stored.text.length).toBeGreaterThan(0)
    const [{ id: run }] = (await as('ada', 'GET', `/v1/runs?thread=${id}`)).json['runs'] as [{ id: string }]
    expect((await as('ada', 'GET', `/v1/runs/${run}`)).text.length).toBeLessThan(10_000)
  })
})
