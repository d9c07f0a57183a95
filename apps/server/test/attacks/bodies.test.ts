import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { ask, exchange, line, statuses, rowsOfEveryTable } from '../../../../test/support/wire.ts'
import { bundledAgents } from '../../src/main.ts'

const MB = 1024 * 1024
const chat = JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] })
const head = (path: string, ...lines: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...lines, '', ''].join(
    '\r\n',
  )
const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

describe('a request body', () => {
  const model = scriptedModel()
  let server: TestServer
  let before: object
  beforeAll(async () => {
    server = await openServer({ models: model.models, agents: bundledAgents, isOnDisk: true })
  })
  beforeEach(async () => {
    model.play([])
    before = await rowsOfEveryTable(server.home)
  })
  afterEach(() => void vi.useRealTimers())
  afterAll(() => server[Symbol.asyncDispose]())
  const nothingIsWritten = async (): Promise<void> => {
    expect(await rowsOfEveryTable(server.home)).toEqual(before)
    expect(model.prompts).toEqual([])
  }

  it.each([
    ['/jobs/chat', 20 * MB, 'The body is larger than 20971520 bytes.'],
    ['/v1/threads', 20 * MB, 'The body is larger than 20971520 bytes.'],
    ['/jobs', MB, 'A posting may have at most 1 MB'],
    ['/jobs/ingest', 20 * MB, 'A page may have at most 20 MB'],
  ])('of %s is rejected if it is too large, with or without a length', async (path, most, error) => {
    const body = Buffer.alloc(most + 1, ' ')

    const announced = await ask(server.url, { method: 'POST', path, body })
    const chunked = await ask(server.url, {
      method: 'POST',
      path,
      body,
      headers: { 'transfer-encoding': 'chunked' },
    })

    for (const response of [announced, chunked]) {
      expect(response).toMatchObject({ status: 413, json: { error, code: 'too-large' } })
    }
    await nothingIsWritten()
  })

  it('with a huge Content-Length is rejected at once and its connection closes', async () => {
    const came = await exchange(
      server.url,
      head('/jobs/chat', 'Content-Length: 1000000000000000'),
      '{"messages":',
    )

    expect(statuses(came)).toEqual([413])
    await nothingIsWritten()
  })

  it('without end is not read forever', async () => {
    const socket = line(server.url)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(head('/jobs/chat', 'Transfer-Encoding: chunked'))
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', pour).resume()
    pour()

    await closed
    await nothingIsWritten()
  })

  it('that trickles is rejected and its connection closes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const socket = line(server.url)
    const came = text(socket)
    socket.write(`${head('/jobs/chat', 'Content-Length: 1000', 'Expect: 100-continue')}{"mess`)
    await expect.poll(() => vi.getTimerCount()).toBe(1)

    vi.advanceTimersByTime(5000)

    const answer = await came
    expect(statuses(answer)).toContain(408)
    expect(answer).toContain('The body came too slowly: fewer than 1024 bytes in 5 seconds.')
    expect(answer).toContain('"code":"too-slow"')
    await nothingIsWritten()
  })

  it.each([
    ['/jobs/chat', chat],
    ['/jobs', '{"title":"Engineer","company":"Northwind","url":"https://northwind.example/1"}'],
  ])('of %s that was too slow has no effect when its rest arrives', async (path, body) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const socket = line(server.url)
    socket.write(head(path, `Content-Length: ${body.length}`) + body.slice(0, 10))
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(5000)
    const [first] = (await once(socket, 'data')) as [Buffer]

    const came = text(socket)
    socket.end(body.slice(10))
    await came
    // Its turn would have come before this one's.
    await ask(server.url, { path: '/jobs' })

    expect(statuses(String(first))).toEqual([408])
    await nothingIsWritten()
  })

  it('that arrives steadily without end is rejected after half a minute', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const socket = line(server.url)
    const came = text(socket)
    socket.write(head('/jobs/chat', 'Content-Length: 100000'))
    await expect.poll(() => vi.getTimerCount()).toBe(1)

    for (let part = 0; part < 6; part++) {
      // Written and taken by the kernel; the server's own turn comes with the next poll.
      await new Promise<void>((resolve) => socket.write(' '.repeat(2000), () => resolve()))
      await ask(server.url, { path: '/health' })
      vi.advanceTimersByTime(5000)
    }

    expect(await came).toContain('The body did not come within 30 seconds.')
    await nothingIsWritten()
  })

  it.each([
    [
      'nested deeply',
      `{"message":"x","context":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      'nested deeper than 200',
    ],
    ['never closed', '['.repeat(500_000), 'nested deeper than 200'],
    ['cut off', '{"message":"x"', 'Invalid JSON'],
    ['no JSON', 'message=hello', 'Invalid JSON'],
    ['not in UTF-8', Buffer.from('{"message":"caf\xe9"}', 'latin1'), 'The body is not UTF-8.'],
    ['half a character', Buffer.from('{"message":"职').subarray(0, -1), 'The body is not UTF-8.'],
    ['in UTF-16', Buffer.from('{"message":"x"}', 'utf16le'), 'Invalid JSON'],
    ['null', 'null', ''],
    ['a number', '1e999', ''],
    ['a list', '[]', ''],
  ])('that is %s is rejected by every route', async (_what, body, error) => {
    for (const path of ['/jobs/chat', '/jobs/chat/stop', '/v1/threads', '/jobs', '/jobs/ingest']) {
      const response = await ask(server.url, { method: 'POST', path, body })

      expect([path, response.status, response.json['code']]).toEqual([path, 400, 'invalid-request'])
      if (!/^\/jobs(\/ingest)?$/.test(path)) expect(response.json['error']).toContain(error)
    }
    await nothingIsWritten()
  })

  it('cannot change Object.prototype', async () => {
    model.play([step(says('Hi.'))])
    const keys = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}'

    const response = await ask(server.url, {
      method: 'POST',
      path: '/jobs/chat',
      body: `{"message":"x",${keys},"context":{${keys},"activeFilters":{${keys}}},"options":{${keys}}}`,
    })
    await ask(server.url, { method: 'POST', path: '/v1/threads', body: `{${keys}}` })
    await ask(server.url, { method: 'POST', path: '/jobs', body: `{"title":"x",${keys}}` })

    expect([200, 400]).toContain(response.status)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(await ask(server.url, { path: '/jobs/chat/conversations' })).toMatchObject({ status: 200 })
  })

  it('is parsed as JSON with any Content-Type, except from a web page', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      model.play([step(says('Hi.'))])
      const request = { method: 'POST', path: '/jobs/chat', body: chat }

      expect(await ask(server.url, { ...request, headers: { 'content-type': type } })).toMatchObject({
        status: 200,
      })
    }
  })

  it('that is rejected does not consume the next request of the connection', async () => {
    const wrong = '{"messages":[]}'
    const smuggled = 'POST /v1/threads HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}'
    const length = `Content-Length: ${smuggled.length}`
    const pipelined = await exchange(
      server.url,
      head('/jobs/chat', `Content-Length: ${wrong.length}`) + wrong + health,
    )
    const unread = await exchange(server.url, head('/nowhere', length) + smuggled + health)
    const foreign = await exchange(
      server.url,
      `POST /v1/threads HTTP/1.1\r\nHost: evil.example\r\n${length}\r\n\r\n${smuggled}${health}`,
    )

    expect(statuses(pipelined)).toEqual([400, 200])
    expect([[404], [404, 200]]).toContainEqual(statuses(unread))
    expect([[403], [403, 200]]).toContainEqual(statuses(foreign))
    await nothingIsWritten()
  })

  it.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 40']],
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['an unknown coding', ['Transfer-Encoding: identity, cow']],
    ['a length that is none', ['Content-Length: -1']],
  ])('with %s is not read', async (_what, lines) => {
    const came = await exchange(server.url, `${head('/v1/threads', ...lines)}{}${health}`)

    expect(statuses(came)).toEqual([400])
    await nothingIsWritten()
  })

  it('that breaks off is not accepted', async () => {
    const socket = line(server.url)
    socket.write(`${head('/v1/threads', 'Content-Length: 100')}{}`)
    socket.end()

    await new Promise((resolve) => socket.once('close', resolve).resume())

    expect(await ask(server.url, { path: '/health' })).toMatchObject({ status: 200 })
    await nothingIsWritten()
  })

  it('with endless headers is rejected', async () => {
    const came = await exchange(server.url, head('/v1/threads', `X: ${'x'.repeat(20_000)}`))

    expect(statuses(came)).toEqual([431])
    await nothingIsWritten()
  })
})
