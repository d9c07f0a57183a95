import { once } from 'node:events'

import { describe, expect, it, onTestFinished } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { bearer } from '../support/users.ts'
import { line } from '../support/wire.ts'

async function open(): Promise<TestServer> {
  const { models } = scriptedModel([])
  const server = await openServer({ models, users: ['ada'], flags: ['--require-token', '--rate-limit', '0'] })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

describe('a refused body', () => {
  it.each([
    [401, '/v1/threads', ''],
    [404, '/nowhere', 'ada'],
    [413, '/v1/threads', 'ada'],
  ])('gets %d also while it is being sent', async (status, path, user) => {
    const server = await open()
    const send = () => {
      const body = new FormData()
      body.set('file', new Blob([new Uint8Array(25_000_000)]), 'file.pdf')
      const headers = user === '' ? {} : bearer(server.token(user))
      return fetch(server.url + path, { method: 'POST', headers, body })
    }

    for (let n = 0; n < 10; n += 1) expect((await send()).status).toBe(status)
  })

  it.each([
    [401, '/nowhere', ''],
    [413, '/v1/threads', 'ada'],
  ])('closes its connection after %d, and says so', async (status, path, user) => {
    const server = await open()
    const socket = line(server.url)
    const token = user && `Authorization: Bearer ${server.token(user)}\r\n`
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${token}Content-Length: 25000000\r\n\r\n{`)

    const [head] = await once(socket, 'data')
    expect(String(head)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(String(head).toLowerCase()).toContain('\r\nconnection: close\r\n')
    socket.write(' '.repeat(24_999_999))
    await once(socket, 'close')
  })

  it('keeps its connection if it has come', async () => {
    const server = await open()
    const socket = line(server.url)
    for (let n = 0; n < 3; n += 1) {
      socket.write('POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}')
      expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 401 ')
    }
    socket.destroy()
  })

  it('is cut off if it does not end', async () => {
    const server = await open()
    const socket = line(server.url)
    socket.write('POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{')

    expect(String((await once(socket, 'data'))[0])).toContain(' 401 ')
    await once(socket, 'close')
  })
})
