import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { scriptedModel, says, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { rows } from '../support/wire.ts'
import { openBrowser } from './browser.ts'
import { isFull } from '../support/is-full.ts'

const EVIL = 'evil.attack.test'

/** What a page tries, by name. Each resolves with what it has read or reached, or with `nothing`. */
const attempts = `
const within = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 4000, 'nothing'))])
const body = JSON.stringify({ message: 'hello' })
const element = (name, from) => new Promise((resolve) => {
  const made = document.createElement(name)
  made.onload = () => resolve(name + ' loaded')
  made.onerror = () => resolve('nothing')
  made[name === 'link' ? 'href' : 'src'] = from
  if (name === 'link') made.rel = 'stylesheet'
  document.head.append(made)
})
const jsonp = async (server) => {
  window.___eio = [(told) => { window.told = told }]
  const state = await element('script', server + '/socket.io/?EIO=4&transport=polling&j=0')
  return window.told ?? (state === 'nothing' ? state : 'script loaded')
}
const form = (to, fields) => new Promise((resolve) => {
  const frame = Object.assign(document.createElement('iframe'), { name: 'frame' + Math.random() })
  document.body.append(frame)
  const made = Object.assign(document.createElement('form'), {
    method: 'POST', action: to, target: frame.name, enctype: 'text/plain',
  })
  made.append(Object.assign(document.createElement('input'), { name: fields, value: '' }))
  document.body.append(made)
  // What it did is seen at the server: a page cannot read a frame of another origin.
  frame.onload = () => resolve('nothing')
  made.submit()
})
const reads = async (to, options) => {
  try {
    const heard = await fetch(to, options)
    return heard.type === 'opaque' ? 'nothing' : await heard.text()
  } catch { return 'nothing' }
}
const socket = (to) => new Promise((resolve) => {
  const made = new WebSocket(to)
  made.onmessage = ({ data }) => resolve('socket: ' + data)
  made.onopen = () => resolve('socket open')
  made.onerror = () => resolve('nothing')
})
const events = (to) => new Promise((resolve) => {
  const made = new EventSource(to)
  made.onmessage = ({ data }) => resolve('event: ' + data)
  made.onopen = () => resolve('events open')
  made.onerror = () => { made.close(); resolve('nothing') }
})
window.tryAll = async (server) => {
  const poll = server + '/socket.io/?EIO=4&transport=polling'
  const json = { 'content-type': 'application/json' }
  const post = { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body }
  const all = {
    jsonp: jsonp(server),
    script: element('script', server + '/openapi.json'),
    image: element('img', server + '/jobs/sync'),
    style: element('link', server + '/docs'),
    frame: element('embed', server + '/openapi.json').then(() => 'nothing'),
    form: form(server + '/jobs/chat', body),
    formToSocket: form(poll, '40'),
    fetch: reads(server + '/v1/threads'),
    fetchWithHeaders: reads(server + '/jobs/chat', { ...post, mode: 'cors', headers: json }),
    fetchBlind: reads(server + '/jobs/chat', post),
    fetchSocket: reads(poll),
    webSocket: socket(server.replace('http', 'ws') + '/socket.io/?EIO=4&transport=websocket'),
    eventSource: events(server + '/health/stream'),
  }
  const told = await Promise.all(Object.entries(all).map(async ([name, work]) => [name, await within(work)]))
  return Object.fromEntries(told)
}
`

describe.runIf(isFull)('a page of another origin in a browser', () => {
  const model = scriptedModel(Array.from({ length: 20 }, () => step(says('Reached.'))))
  let server: TestServer
  let site: Server
  let browser: Browser
  beforeAll(async () => {
    server = await openServer({ ...model, isOnDisk: true })
    site = createServer((_asked, answer) => {
      answer.writeHead(200, { 'content-type': 'text/html' })
      answer.end(`<!doctype html><title>page</title><body><script>${attempts}</script></body>`)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    browser = await openBrowser([`--host-resolver-rules=MAP ${EVIL} 127.0.0.1`])
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await new Promise((resolve) => site.close(resolve))
    await server[Symbol.asyncDispose]()
  })

  it.each([
    ['of another site', EVIL],
    ['of another port of this machine', '127.0.0.1'],
  ])(
    'gets no access to the server (%s)',
    async (_what, host) => {
      const before = await rows(server.home)
      const page = await browser.newPage()
      const { port } = site.address() as AddressInfo
      await page.goto(`http://${host}:${port}/`)

      const outcomes = await page.evaluate(`tryAll(${JSON.stringify(server.url)})`)
      await page.close()

      expect(Object.values(outcomes as Record<string, string>)).toHaveLength(13)
      expect(new Set(Object.values(outcomes as Record<string, string>)), JSON.stringify(outcomes)).toEqual(
        new Set(['nothing']),
      )
      expect(model.prompts).toEqual([])
      expect(await rows(server.home)).toEqual(before)
    },
    60_000,
  )

  it('an allowed page reads and writes', async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}/health`)

    const outcomes = await page.evaluate(`Promise.all([
      fetch('/v1/threads').then((heard) => heard.json()),
      fetch('/socket.io/?EIO=4&transport=polling').then((heard) => heard.text()),
      new Promise((resolve) => {
        const made = new EventSource('/health/stream')
        made.onmessage = () => { made.close(); resolve('event') }
      }),
    ])`)
    await page.close()

    expect(outcomes).toEqual([{ threads: [] }, expect.stringContaining('sid'), 'event'])
  })
})
