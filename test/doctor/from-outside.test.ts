import { request as ask, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { examine, serving } from '../support/examine.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'

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

  it('never says the token', async () => {
    const byFlag = await examine([ours.url, '--token', 'dgm_secret'])
    const byVariable = await examine([ours.url], { DRAGOMAN_TOKEN: 'dgm_secret' })

    expect([...byFlag.lines, ...byVariable.lines].join()).not.toContain('dgm_secret')
  })
})
