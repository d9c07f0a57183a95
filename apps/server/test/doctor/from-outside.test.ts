import { request as ask, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { examine, serving } from '../support/examine.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'

describe('the doctor before a server', () => {
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

  it('finds that events come as they are sent', async () => {
    const { code, about } = await examine([ours.url])

    expect(about('Server')).toEqual([
      expect.stringMatching(/^✓ Server: dragoman [\d.]+ answers after \d+ ms\.$/),
    ])
    expect(about('Stream')).toEqual([expect.stringMatching(/^✓ Stream: events come as they are sent/)])
    expect(about('Clock')).toEqual(['✓ Clock: it goes as ours does.'])
    expect(about('Token')).toHaveLength(1)
    expect(code).toBe(0)
  })

  it('finds a proxy that holds streams back, and says what to mend', async () => {
    await using proxy = await hoarding(false)

    const { code, about } = await examine([proxy.url])

    expect(code).toBe(1)
    expect(about('Stream')).toEqual([
      expect.stringMatching(
        /^✗ Stream: 5 events .* A proxy holds the stream back\. nginx: proxy_buffering off/,
      ),
    ])
  })

  it('finds a proxy that compresses streams', async () => {
    await using proxy = await hoarding(true)

    const { about } = await examine([proxy.url])

    expect(about('Stream')[1]).toBe(
      '! Stream: a proxy compresses it (gzip): leave text/event-stream out of its compression.',
    )
  })

  it.each<[string, RequestListener, RegExp]>([
    [
      'something else',
      (_, response) => response.end('<html>'),
      /^✗ Server: what answers \(status 200\) is no dragoman\.$/,
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(301, { location: 'https://other.example/' }).end(),
      /^✗ Server: http:.* sends us on to https:\/\/other\.example\/: give that address\.$/,
    ],
    [
      'a name that is not ours',
      (_, response) =>
        ask(`${ours.url}/health`, { headers: { host: 'chat.example' } }, (answer) => {
          response.writeHead(answer.statusCode ?? 502)
          answer.pipe(response)
        }).end(),
      /^✗ Server: it refuses: This server does not answer under that host name\. Name it in hosts of config\.yaml/,
    ],
    ['a line that breaks', (request) => request.socket.destroy(), /^✗ Server: .* cannot be reached: /],
  ])('tells of %s', async (_name, listener, told) => {
    await using server = await serving(listener)

    const { code, lines } = await examine([server.url, '--token', 'dgm_secret'])

    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringMatching(told)])
  })

  it('tells of one that is passed on what it lacks, and nothing else', async () => {
    await using proxy = await serving((_request, response) => {
      const headers = { host: '127.0.0.1', 'x-forwarded-for': '203.0.113.9' }
      ask(`${ours.url}/health`, { headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502)
        answer.pipe(response)
      }).end()
    })

    expect((await examine([proxy.url])).lines).toEqual([
      expect.stringMatching(/^✗ Server: it refuses: .* it needs a token\. Start .* --require-token\.$/),
    ])
  })

  it('says that a token is refused where none is needed', async () => {
    const { code, lines } = await examine([ours.url, '--token', 'dgm_secret'])

    expect(code).toBe(1)
    expect(lines).toEqual(['✗ Token: it is refused: This token is not known here, or it was revoked.'])
  })

  describe('that wants tokens', () => {
    let strict: TestServer
    beforeAll(async () => {
      strict = await openServer({
        models: scriptedModel().models,
        flags: ['--require-token'],
        users: ['ada'],
      })
    })
    afterAll(() => strict[Symbol.asyncDispose]())

    it('sees all of it with a good one', async () => {
      const { code, about } = await examine([strict.url, '--token', strict.token('ada')])

      expect(code).toBe(0)
      expect(about('Token')).toEqual(['✓ Token: it is one of ada.'])
      expect(about('Stream')).toEqual([expect.stringMatching(/^✓ Stream: events come as they are sent/)])
    })

    it('sees that it is there without one', async () => {
      const { code, about } = await examine([strict.url])

      expect(code).toBe(0)
      expect(about('Server')).toEqual([expect.stringMatching(/^✓ Server: dragoman/)])
      expect(about('Token')).toEqual(['! Token: one is needed. Give it with --token or DRAGOMAN_TOKEN.'])
      expect(about('Stream')).toEqual(['! Stream: without a good token it cannot be looked at.'])
    })

    it('says that one is refused', async () => {
      const { code, about } = await examine([strict.url], { DRAGOMAN_TOKEN: 'dgm_secret' })

      expect(code).toBe(1)
      expect(about('Token')).toEqual([
        '✗ Token: it is refused: This token is not known here, or it was revoked.',
      ])
      expect(about('Stream')).toEqual(['! Stream: without a good token it cannot be looked at.'])
    })
  })

  it('never says the token', async () => {
    const byFlag = await examine([ours.url, '--token', 'dgm_secret'])
    const byVariable = await examine([ours.url], { DRAGOMAN_TOKEN: 'dgm_secret' })

    expect([...byFlag.lines, ...byVariable.lines].join()).not.toContain('dgm_secret')
  })
})
