import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { call, openFeature } from './mcp.fixture.ts'
import { httpNotes } from './http-server.fixture.ts'

const keyOf = (user: string, url: string) => ({
  mcpHeaders: { [new URL(url).origin]: { headers: { Authorization: `Bearer ${user}s-secret` } } },
})

describe('an MCP server over HTTP', () => {
  it('identifies each caller by the headers of its run', async () => {
    await using served = await httpNotes()
    await using at = openFeature({ notes: { url: served.url } })
    const [ada, bob] = await Promise.all(
      ['ada', 'bob'].map(async (user) => {
        const whoami = await at.tool('notes_whoami', keyOf(user, served.url))
        return (await whoami.execute({}, call())).text
      }),
    )

    expect([ada, bob]).toEqual(['ada', 'bob'])
    expect(served.open.toSorted()).toEqual(['ada', 'bob'])
    expect(await at.offered()).toMatchObject({
      tools: [],
      notes: ['The tools of the MCP server notes cannot be used now: it refuses who asks (HTTP 401).'],
    })
  })

  it('receives a request that ends its session', async () => {
    await using served = await httpNotes({ anybody: true })
    {
      await using at = openFeature({ notes: { url: served.url } })
      await at.offered()
      expect(served.open).toEqual(['anybody'])
    }

    expect(served.open).toEqual([])
  })

  it.each([
    ['text/html; charset=utf-8', '<h1>Welcome</h1>', 'text/html'],
    ['text/plain', 'ok', 'text/plain'],
    ['a secret, of a server', 'ok', 'no content type'],
  ])('is no server if it answers with %s', async (type, body, named) => {
    const page = createServer((_, response) => void response.setHeader('content-type', type).end(body))
    page.listen(0, '127.0.0.1')
    await once(page, 'listening')
    onTestFinished(() => void page.close())
    await using at = openFeature({
      page: { url: `http://127.0.0.1:${(page.address() as AddressInfo).port}` },
    })

    expect(await at.conditions()).toEqual([
      `MCP: page has no tools now: it answers with ${named}, as no MCP server does: check its url.`,
    ])
  })

  it('serves only the listed users', async () => {
    await using served = await httpNotes({ anybody: true })
    const notes = { url: served.url, users: ['ada'], tools: ['whoami'] }
    await using adas = openFeature({ notes }, { userId: 'ada' })
    await using bobs = openFeature({ notes }, { userId: 'bob' })

    expect((await adas.offered()).tools.map(({ name }) => name)).toEqual(['notes_whoami'])
    expect(await bobs.offered()).toMatchObject({ tools: [], notes: [] })
  })

  it('announces that its tools changed', async () => {
    await using served = await httpNotes({ anybody: true })
    await using at = openFeature({ notes: { url: served.url } })
    const names = async () => (await at.offered()).tools.map(({ name }) => name)
    expect(await names()).toEqual([
      'notes_whoami',
      'notes_hang',
      expect.stringMatching(/^notes_notes_drop_\w{8}$/),
    ])

    served.addTool('later')

    await vi.waitFor(async () => expect(await names()).toContain('notes_later'))
  })

  it('reconnects after a restart and after downtime', async () => {
    const before = await httpNotes({ anybody: true })
    const { url, port } = before
    await using at = openFeature({ notes: { url } })
    const whoami = await at.tool('notes_whoami')
    await before[Symbol.asyncDispose]()
    await expect(whoami.execute({}, call())).rejects.toMatchObject({
      code: 'tool-failed',
      message: expect.stringMatching(/^The MCP server notes gave no answer: it (closed|cannot be reached)/),
    })

    await using after = await httpNotes({ anybody: true, port })

    expect((await whoami.execute({}, call())).text).toBe('anybody')
    expect(after.open).toEqual(['anybody'])
  })

  it('receives a cancellation; a writing call then has an unknown outcome', async () => {
    await using served = await httpNotes({ anybody: true })
    await using at = openFeature({ notes: { url: served.url } })
    const { tools } = await at.offered()
    const stopped = async (name: string, reason: string) => {
      const stopping = new AbortController()
      const outcome = tools.find((tool) => tool.name.startsWith(name))?.execute({}, call(stopping.signal))
      await vi.waitFor(() => expect(served.heard).toContain(reason))
      stopping.abort()
      return outcome
    }

    await expect(stopped('notes_hang', 'hang')).rejects.toMatchObject({ code: 'tool-failed' })
    await expect(stopped('notes_notes_drop', 'drop')).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringContaining('Whether the call has done its work is not known.'),
    })
    await vi.waitFor(() => expect(served.heard).toContain('hang was cancelled'))
  })

  it('receives the headers of its callers, but a redirect target does not', async () => {
    const got: (string | undefined)[] = []
    const other = createServer((request, response) => {
      got.push(request.headers.authorization)
      response.writeHead(500).end()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const sending = createServer((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${port}/mcp` }).end(),
    )
    await new Promise<void>((resolve) => sending.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(sending.address() as AddressInfo).port}/mcp`
    await using at = openFeature({ notes: { url } })

    const { notes } = await at.offered(keyOf('ada', url))

    expect(notes).toEqual(['The tools of the MCP server notes cannot be used now: it answers with HTTP 307.'])
    expect(got).toEqual([])
    for (const server of [other, sending]) {
      server.closeAllConnections()
      server.close()
    }
  })

  it('delays no run and no other server if it never answers', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`
    await using served = await httpNotes({ anybody: true })
    await using at = openFeature({
      silent: { url },
      notes: { url: served.url },
      gone: { command: '/nowhere/server' },
    })

    const { tools, notes } = await at.offered()

    expect(tools).toHaveLength(3)
    expect(notes).toEqual([
      'The tools of the MCP server silent cannot be used now: it does not answer in time.',
      'The tools of the MCP server gone cannot be used now: its command cannot be started (ENOENT).',
    ])
    const startMs = performance.now()
    expect((await at.offered()).notes[0]).toContain('silent')
    // It was waited for once.
    expect(performance.now() - startMs).toBeLessThan(3000)
    silent.closeAllConnections()
    silent.close()
  })
})
