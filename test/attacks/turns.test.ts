import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { bearer } from '../support/users.ts'
import { ask, line, statuses } from '../support/wire.ts'

const CONNECTIONS = 12
const REQUESTS = 60

describe('a user who sends very many requests', () => {
  let server: TestServer
  beforeAll(async () => {
    const { models } = scriptedModel([])
    server = await openServer({ models, users: ['ada', 'bob'], flags: ['--require-token'] })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('lets others have theirs in between, and gets all answers', async () => {
    const head = `GET /v1/threads HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token('ada')}\r\n\r\n`
    let came = ''
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = line(server.url)
      socket.on('data', (bytes: Buffer) => (came += bytes.toString('latin1')))
      socket.write(head.repeat(REQUESTS))
      return socket
    })
    await expect.poll(() => statuses(came).length, { interval: 1 }).toBeGreaterThan(0)

    for (let count = 0; count < 3; count++)
      expect(
        (await ask(server.url, { path: '/v1/threads', headers: bearer(server.token('bob')) })).status,
      ).toBe(200)

    expect(statuses(came).length).toBeLessThan((CONNECTIONS * REQUESTS) / 2)
    await expect.poll(() => statuses(came).length).toBe(CONNECTIONS * REQUESTS)
    expect(new Set(statuses(came))).toEqual(new Set([200]))
    for (const socket of sockets) socket.destroy()
  })
})
