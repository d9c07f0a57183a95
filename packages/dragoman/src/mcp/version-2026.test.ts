import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it, vi } from 'vitest'

import type { ToolContext } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { httpNotes } from './http-server.fixture.ts'
import { call, openFeature } from './mcp.fixture.ts'
import { modernNotes, modernProgram } from './modern-server.fixture.ts'
import { rawServer } from './raw-server.fixture.ts'

type Question = Parameters<ToolContext['ask']>[0]

/** One use of a tool, whose user answers so. */
const asking = (answer: (question: Question) => unknown) => ({
  ...call(),
  ask: (async (question: Question) => answer(question)) as ToolContext['ask'],
})

describe.each(['HTTP', 'stdio'])('a server of the protocol 2026-07-28 over %s', (transport) => {
  const open = async () => {
    const served = transport === 'HTTP' ? await modernNotes() : undefined
    const at = openFeature({ notes: served ? { url: served.url } : modernProgram })
    await vi.waitFor(async () => expect((await at.offered()).tools.length).toBeGreaterThan(0), 30_000)
    return {
      at,
      served,
      async [Symbol.asyncDispose]() {
        await at[Symbol.asyncDispose]()
        await served?.[Symbol.asyncDispose]()
      },
    }
  }

  it('offers its tools and instructions, without a handshake', async () => {
    await using opened = await open()
    const { tools, notes } = await opened.at.offered()

    expect(tools.map(({ name }) => name)).toEqual(['notes_weather', 'notes_near', 'notes_hang'])
    expect(notes).toEqual([expect.stringContaining('Ask first.')])
    expect((await (await opened.at.tool('notes_near')).execute({ region: 'Tromsø' }, call())).text).toBe(
      'Near Tromsø',
    )
    if (opened.served)
      expect(opened.served.requests).toEqual([
        'server/discover',
        'subscriptions/listen',
        'tools/list',
        'tools/call near =?base64?VHJvbXPDuA==?=',
      ])
  })

  it('asks the user of each call, also of two at the same time', async () => {
    await using opened = await open()
    const { execute } = await opened.at.tool('notes_weather')
    const questions: Question[] = []

    const answers = ['Bergen', undefined].map((city) =>
      execute(
        {},
        asking((question) => {
          questions.push(question)
          return { city }
        }),
      ),
    )

    const [bergen, oslo] = await Promise.all(answers)
    expect([bergen?.text, oslo?.text]).toEqual(['Rain in Bergen', 'Rain in Oslo'])
    expect(questions).toMatchObject(
      Array.from(answers, () => ({ message: 'notes asks: Where?', inPlace: true })),
    )
  })

  it('fails where it asks again and again', async () => {
    await using opened = await open()
    const { execute } = await opened.at.tool('notes_weather')
    const declined = execute(
      {},
      asking(() => {
        throw new ServiceError('denied', 'No.')
      }),
    )

    await expect(declined).rejects.toMatchObject({
      code: 'tool-failed',
      message: expect.stringContaining('more than 20 answers'),
    })
  })
})

describe('the list of tools of the protocol 2026-07-28', () => {
  it('is listed again when the server says that it has changed, and after a restart', async () => {
    const before = await modernNotes()
    await using at = openFeature({ notes: { url: before.url } })
    const first = await at.offered()
    expect(first.isStale?.()).toBe(false)

    before.addTool('later')

    await vi.waitFor(() => expect(first.isStale?.()).toBe(true))
    const names = async () => (await at.offered()).tools.map(({ name }) => name)
    expect(await names()).toContain('notes_later')
    await before[Symbol.asyncDispose]()
    await using after = await modernNotes({ port: before.port })
    await vi.waitFor(async () => expect(await names()).not.toContain('notes_later'), 10_000)
    after.addTool('last')
    await vi.waitFor(async () => expect(await names()).toContain('notes_last'), 10_000)
  })
})

describe('a call whose tool is another one by now', () => {
  it('is refused, and the tools are listed again', async () => {
    await using served = await modernNotes()
    await using at = openFeature({ notes: { url: served.url } })
    const first = await at.offered()
    const near = await at.tool('notes_near')
    served.addTool('area', false)

    const refusal = { code: 'tool-failed', message: expect.stringContaining('refuses the call') }
    await expect(near.execute({ region: 'Oslo' }, call())).rejects.toMatchObject(refusal)
    expect(first.isStale?.()).toBe(true)
    expect((await (await at.tool('notes_near')).execute({ region: 'Oslo' }, call())).text).toBe('Near Oslo')
    expect(served.requests.at(-1)).toBe('tools/call near')
  })
})

describe('a server whose version changes', () => {
  it('is spoken to in the other one', async () => {
    const modern = await modernNotes()
    const { url, port } = modern
    await using at = openFeature({ notes: { url, cache: 0 } })
    const names = async () => (await at.offered()).tools.map(({ name }) => name)
    expect(await names()).toContain('notes_weather')
    await modern[Symbol.asyncDispose]()

    const old = await httpNotes({ anybody: true, port })
    await vi.waitFor(async () => expect(await names()).toContain('notes_whoami'), 10_000)
    await old[Symbol.asyncDispose]()

    await using _ = await modernNotes({ port })
    await vi.waitFor(async () => expect(await names()).toContain('notes_weather'), 10_000)
  })
})

describe('a call of the protocol 2026-07-28', () => {
  it('stops with its run', async () => {
    await using served = await modernNotes()
    await using at = openFeature({ notes: { url: served.url } })
    const stopping = new AbortController()
    const stopped = (await at.tool('notes_hang')).execute({}, call(stopping.signal))
    await vi.waitFor(() => expect(served.requests).toContain('tools/call hang'))
    stopping.abort()

    await expect(stopped).rejects.toMatchObject({ message: expect.stringContaining('told to stop') })
    await vi.waitFor(() => expect(served.requests).toContain('cancelled'))
  })
})

it('asks a program that ends at the question for its version in the older way', async () => {
  await using at = openFeature({
    old: rawServer({ list: `{ tools: [tool('read')] }`, discover: 'process.exit(1)' }),
  })

  expect((await at.offered()).tools.map(({ name }) => name)).toEqual(['old_read'])
})

it('asks a program that is silent at the question in the older way', async () => {
  await using at = openFeature({
    old: rawServer({ list: `{ tools: [tool('read')] }`, discover: 'undefined' }),
  })

  expect((await at.offered()).tools.map(({ name }) => name)).toEqual(['old_read'])
})

it('gives a program more time that is too slow at its first start, and speaks no older version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  const refusal = '"error":{"code":-32022,"message":"Not this version"}'
  const program = `
    import { existsSync, writeFileSync } from 'node:fs'
    import { createInterface } from 'node:readline'
    const mark = ${JSON.stringify(join(folder, 'mark'))}
    if (existsSync(mark)) await import(${JSON.stringify(pathToFileURL(modernProgram.args[0] ?? '').href)})
    else createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line)
      writeFileSync(mark, '')
      if (method === 'initialize') console.log('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',${refusal}}')
    })`
  try {
    await using at = openFeature({
      notes: { command: process.execPath, args: ['--input-type=module', '--eval', program] },
    })
    expect((await at.offered()).tools.length).toBeGreaterThan(0)
  } finally {
    await rm(folder, { recursive: true })
  }
})
