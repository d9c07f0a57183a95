import { request as ask, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { runDoctor, serving } from '../support/run-doctor.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'

describe('dragoman doctor URL', () => {
  let ours: TestServer
  beforeAll(async () => {
    ours = await openServer({ models: scriptedModel().models })
  })
  afterAll(() => ours[Symbol.asyncDispose]())

  /** A proxy that keeps each answer until it has all of it. */
  const hoarding = (squeeze: boolean) =>
    serving((request, response) => {
      const onward = ask(`${ours.url}${request.url}`, { headers: { host: '127.0.0.1' } }, (answer) => {
        const held: Buffer[] = []
        answer.on('data', (chunk: Buffer) => held.push(chunk))
        answer.on('end', () => {
          const { 'content-type': type } = answer.headers
          const body = Buffer.concat(held)
          response.writeHead(answer.statusCode ?? 502, {
            'content-type': type,
            ...(squeeze && { 'content-encoding': 'gzip' }),
          })
          response.end(squeeze ? gzipSync(body) : body)
        })
      })
      onward.end()
    })

  it('reports a stream without buffering', async () => {
    const { code, about } = await runDoctor([ours.url])

    expect(about('Server')).toEqual([
      expect.stringMatching(/^✓ Server: dragoman [\d.]+ answers after \d+ ms\.$/),
    ])
    expect(about('Stream')).toEqual([expect.stringMatching(/^✓ Stream: events arrive as they are sent/)])
    expect(about('Token')).toHaveLength(1)
    expect(code).toBe(0)
  })

  it('reports a proxy that buffers streams, and the remedy', async () => {
    await using proxy = await hoarding(false)

    const { code, about } = await runDoctor([proxy.url])

    expect(code).toBe(1)
    expect(about('Stream')).toEqual([
      expect.stringMatching(/^✗ Stream: 5 events .* A proxy buffers the stream\. nginx: proxy_buffering off/),
    ])
  })

  it('reports a proxy that compresses streams', async () => {
    await using proxy = await hoarding(true)

    const { about } = await runDoctor([proxy.url])

    expect(about('Stream')[1]).toBe(
      '! Stream: a proxy compresses it (gzip). Exclude text/event-stream from compression.',
    )
  })

  it.each<[string, RequestListener, RegExp]>([
    [
      'another program',
      (_, response) => response.end('<html>'),
      /^✗ Server: another program answers \(status 200\)\.$/,
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(301, { location: 'https://other.example/' }).end(),
      /^✗ Server: http:.* redirects to https:\/\/other\.example\/\. Use that address\.$/,
    ],
    [
      'a host name that the server rejects',
      (_, response) =>
        ask(`${ours.url}/health`, { headers: { host: 'chat.example' } }, (answer) => {
          response.writeHead(answer.statusCode ?? 502)
          answer.pipe(response)
        }).end(),
      /^✗ Server: it rejects the request: .* not answer under that host name\. Name it in hosts of config\.yaml/,
    ],
    ['a connection that breaks', (request) => request.socket.destroy(), /^✗ Server: .* cannot be reached: /],
  ])('reports %s', async (_name, listener, expected) => {
    await using server = await serving(listener)

    const { code, lines } = await runDoctor([server.url, '--token', 'dgm_secret'])

    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringMatching(expected)])
  })

  it('prints only what the server lacks behind a proxy', async () => {
    await using proxy = await serving((_request, response) => {
      const headers = { host: '127.0.0.1', 'x-forwarded-for': '203.0.113.9' }
      ask(`${ours.url}/health`, { headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502)
        answer.pipe(response)
      }).end()
    })

    expect((await runDoctor([proxy.url])).lines).toEqual([
      expect.stringMatching(
        /^✗ Server: it rejects the request: .* it needs a token\. Start .* --require-token\.$/,
      ),
    ])
  })

  it('reports a rejected token, even if the server needs none', async () => {
    const { code, lines } = await runDoctor([ours.url, '--token', 'dgm_secret'])

    expect(code).toBe(1)
    expect(lines).toEqual([
      '✗ Token: the server rejects it: This token is not known here, or it was revoked. ' +
        'The owner of the server makes one with: dragoman token create --name NAME',
    ])
  })

  describe('for a server with tokens', () => {
    let strict: TestServer
    beforeAll(async () => {
      strict = await openServer({
        models: scriptedModel().models,
        flags: ['--require-token'],
        users: ['ada'],
      })
    })
    afterAll(() => strict[Symbol.asyncDispose]())

    it('checks everything with a valid token', async () => {
      const { code, about } = await runDoctor([strict.url, '--token', strict.token('ada')])

      expect(code).toBe(0)
      expect(about('Token')).toEqual(['✓ Token: it belongs to ada.'])
      expect(about('Stream')).toEqual([expect.stringMatching(/^✓ Stream: events arrive as they are sent/)])
    })

    it('checks only the version without a token', async () => {
      const { code, about } = await runDoctor([strict.url])

      expect(code).toBe(0)
      expect(about('Server')).toEqual([expect.stringMatching(/^✓ Server: dragoman/)])
      expect(about('Token')).toEqual([
        '! Token: the server needs one. Pass it with --token or DRAGOMAN_TOKEN.',
      ])
      expect(about('Stream')).toEqual(['! Stream: not checked without a valid token.'])
    })

    it('reports a rejected token', async () => {
      const { code, about } = await runDoctor([strict.url], { DRAGOMAN_TOKEN: 'dgm_secret' })

      expect(code).toBe(1)
      expect(about('Token')).toEqual([
        '✗ Token: the server rejects it: This token is not known here, or it was revoked. ' +
          'The owner of the server makes one with: dragoman token create --name NAME',
      ])
      expect(about('Stream')).toEqual(['! Stream: not checked without a valid token.'])
    })
  })

  it('never prints the token', async () => {
    const byFlag = await runDoctor([ours.url, '--token', 'dgm_secret'])
    const byVariable = await runDoctor([ours.url], { DRAGOMAN_TOKEN: 'dgm_secret' })

    expect([...byFlag.lines, ...byVariable.lines].join()).not.toContain('dgm_secret')
  })
})
