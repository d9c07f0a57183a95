import { describe, expect, it } from 'vitest'

import { openFeature } from './mcp.fixture.ts'
import { rawServer } from './raw-server.fixture.ts'

/** The names of the tools of one server, and what the status says of it. */
async function listed(list: string) {
  await using at = openFeature({ raw: rawServer({ list }) })
  const { tools, notes } = await at.offered()
  expect(notes).toEqual([])
  return { names: tools.map(({ name }) => name), notes: await at.conditions() }
}

describe('the list of tools of an MCP server', () => {
  it.each([
    ['is empty', `{ tools: [tool('t' + count++)], nextCursor: '' }`, 1],
    ['is repeated', `{ tools: [tool('t' + count++)], nextCursor: 'again' }`, 2],
    ['alternates', `{ tools: [tool('t' + count)], nextCursor: count++ % 2 ? 'a' : 'b' }`, 3],
    ['is repeated as a number', `{ tools: [tool('t' + count++)], nextCursor: 7 }`, 2],
    [
      'is a number that ends',
      `{ tools: [tool('t' + count++)], nextCursor: m.params?.cursor === 2 ? null : 2 }`,
      2,
    ],
    ['is null', `{ tools: [tool('t' + count++)], nextCursor: null }`, 1],
  ])('ends where a cursor %s', async (_what, list, pages) => {
    const { names, notes } = await listed(list)

    expect(names).toEqual(Array.from({ length: pages }, (_, index) => `raw_t${index}`))
    expect(notes).toHaveLength(1)
  })

  it('ends where a cursor is neither a text nor a number, and the status says so', async () => {
    const { names, notes } = await listed(`{ tools: [tool('a')], nextCursor: {} }`)

    expect(names).toEqual(['raw_a'])
    expect(notes).toContain('MCP: raw: nextCursor of tools/list is no text.')
  })

  it('has each tool once if its pages overlap', async () => {
    const found = await listed(`{ tools: [tool('same')], nextCursor: 'again' }`)

    expect(found.names).toEqual(['raw_same'])
    expect(found.notes).toHaveLength(1)
  })

  it('ends after 100 pages, and the status says so', async () => {
    const { names, notes } = await listed(`{ tools: [tool('t' + count++)], nextCursor: String(count) }`)

    expect(names).toHaveLength(100)
    expect(notes).toContain('MCP: raw: its list has too many pages or tools.')
  })

  it('keeps the pages before one that cannot be read', async () => {
    const bad = `count++ ? { error: { code: -32000, message: 'no' } } : { tools: [tool('a')], nextCursor: 'b' }`
    const { names, notes } = await listed(bad)

    expect(names).toEqual(['raw_a'])
    expect(notes).toContain('MCP: raw: page 2 of its list cannot be read.')
  })

  it('may be none', async () => {
    const { names, notes } = await listed(`{ tools: null }`)

    expect(names).toEqual([])
    expect(notes).toContain('MCP: raw: tools of tools/list is no list.')
  })

  it('is empty without a fault where the server has no such method, or says that it has no tools', async () => {
    const list = `{ error: { code: -32601, message: 'Method not found' } }`
    const none = rawServer({ list, initialize: '{ capabilities: {} }' })
    const no = rawServer({ list: `{ tools: [tool('a')] }`, initialize: '{ capabilities: { tools: false } }' })
    await using at = openFeature({ none, no })

    expect((await at.offered()).tools).toEqual([])
    expect(await at.conditions()).toEqual([
      'MCP: none is connected: 0 tools.',
      'MCP: no is connected: 0 tools.',
    ])
  })

  it('cannot be read of a server that cannot be reached: the log says so once', async () => {
    const warnings: string[] = []
    const acme = { command: '/none/such' }
    await using at = openFeature({ acme }, { warn: (problem) => void warnings.push(problem) })

    await at.offered()
    await at.offered()

    expect(warnings).toEqual(['MCP: acme: its command cannot be started (ENOENT).'])
  })

  it('cannot be read of a server that refuses it: the log says so once', async () => {
    const warnings: string[] = []
    const acme = rawServer({ list: `({ error: { code: -32603, message: 'no' } })` })
    await using at = openFeature({ acme }, { warn: (problem) => void warnings.push(problem) })

    await at.offered()
    await at.offered()

    expect(warnings).toEqual(['MCP: acme: it does not list its tools: it answers with the error -32603.'])
  })

  it('names odd tools to the owner, once, and costs no other server anything', async () => {
    const warnings: string[] = []
    const odd = `{ tools: [null, tool('a'), { name: 'b' }, tool('a', { description: 'x' })] }`
    const servers = { odd: rawServer({ list: odd }), other: rawServer({ list: `{ tools: [tool('c')] }` }) }
    await using at = openFeature({ ...servers }, { warn: (problem) => void warnings.push(problem) })

    const { tools, notes } = await at.offered()

    expect(tools.map(({ name }) => name)).toEqual(['odd_a', 'odd_b', 'other_c'])
    expect(notes).toEqual([])
    expect(await at.conditions()).toEqual([
      'MCP: odd is connected: 2 tools.',
      'MCP: odd: tool 1 of its list is left out: it is null and no object.',
      'MCP: odd: the tool "b" is repaired: inputSchema is missing and no schema of an object.',
      'MCP: odd: a second tool "a" is left out: its name is taken.',
      'MCP: other is connected: 1 tool.',
    ])
    expect(warnings).toEqual([
      expect.stringMatching(/^MCP: odd: tool 1 of .*; the tool "b" .*; a second .*\.$/),
    ])
  })
})
