import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'

import { describe, expect, it } from 'vitest'

import { call, openFeature } from './mcp.fixture.ts'
import { rawServer } from './raw-server.fixture.ts'

const list = `{ tools: [tool('read')] }`

/** The answer to a ping ends the call. */
const before = `
  let pinged
  process.stdin.on('data', (data) => {
    if (pinged && data.includes('"ping"')) write({ id: pinged.id, result: { content: 'pong' } })
  })`

/** What a call returns where the server answers with this: the text, if its blocks are the output. */
async function outcome(answer: string): Promise<unknown> {
  await using at = openFeature({ odd: { ...rawServer({ list, call: answer, before }), timeout: 10 } })
  const tool = await at.tool('odd_read')
  try {
    const { output, text } = (await tool.execute({}, call())) as { output: object; text: string }
    const content = text.split('\n').flatMap((line) => (line === '' ? [] : [{ type: 'text', text: line }]))
    return isDeepStrictEqual(output, { content }) ? text : { output, text }
  } catch (error) {
    return `Failed: ${error instanceof Error ? error.message : ''}`
  }
}

const refused = 'Failed: The MCP server odd refuses the call: '

describe('an odd answer of an MCP server', () => {
  it.each<[string, string, unknown]>([
    ['has no content', '{}', ''],
    ['has content null', '{ content: null }', ''],
    ['has a text as content', `{ content: 'so' }`, 'so'],
    ['has one block as content', `{ content: { type: 'text', text: 'so' } }`, 'so'],
    ['has a text as a block', `{ content: ['so', null, { type: 'text', text: 'on' }] }`, 'so\non'],
    [
      'has structured content alone',
      `{ structuredContent: { a: 1 } }`,
      { output: { structuredContent: { a: 1 }, content: [] }, text: '{"a":1}' },
    ],
    [
      'has structured content null',
      `{ content: [], structuredContent: null }`,
      { output: { content: [], structuredContent: null }, text: '' },
    ],
    [
      'has a block of an unknown type',
      `{ content: [{ type: 'text', text: 'so' }, { type: 'chart', points: [1, 2] }] }`,
      {
        output: {
          content: [
            { type: 'text', text: 'so' },
            { type: 'chart', points: [1, 2] },
          ],
        },
        text: 'so\n{"type":"chart","points":[1,2]}',
      },
    ],
    [
      'has a text block without its text',
      `{ content: [{ type: 'text' }, { type: 'text', text: 'so' }] }`,
      { output: { content: [{ type: 'text' }, { type: 'text', text: 'so' }] }, text: '{"type":"text"}\nso' },
    ],
    [
      'has other fields alone',
      `{ answer: 42 }`,
      { output: { content: [{ answer: 42 }] }, text: '{"answer":42}' },
    ],
    [
      'has extra fields',
      `{ content: [{ type: 'text', text: 'so' }], took: 3, _meta: null }`,
      { output: { content: [{ type: 'text', text: 'so' }], took: 3 }, text: 'so' },
    ],
    ['is null', 'void write({ id: m.id, result: null })', ''],
    ['is a text', `void write({ id: m.id, result: 'so' })`, 'so'],
    ['is a list', `void write({ id: m.id, result: [{ type: 'text', text: 'so' }] })`, 'so'],
    [
      'has an extra field in its frame',
      `void write({ id: m.id, result: { content: 'so' }, server: 'x' })`,
      'so',
    ],
    ['has an error of null', `void write({ id: m.id, error: null, result: { content: 'so' } })`, 'so'],
    [
      'is an error whose message is an object',
      `({ error: { code: -32000, message: { no: 1 } } })`,
      `${refused}{"no":1}`,
    ],
    ['is an error without a message', `({ error: { code: -32000 } })`, `${refused}{"code":-32000}`],
    ['is an error whose code is a text', `({ error: { code: 'E1', message: 'no' } })`, `${refused}no`],
    ['is an error that is a text', `({ error: 'no' })`, `${refused}no`],
    [
      'is an error with data',
      `({ error: { code: -32602, message: 'Invalid params', data: { missing: 'city' } } })`,
      `${refused}Invalid params: {"missing":"city"}`,
    ],
    [
      'is a batch',
      `void process.stdout.write(JSON.stringify([{ jsonrpc: '2.0', method: 'notifications/message', params: null },
        { jsonrpc: '2.0', id: m.id, result: { content: 'so' } }]) + '\\n')`,
      'so',
    ],
    [
      'comes after a request with params null',
      `void (pinged = m, write({ id: 'ping', method: 'ping', params: null }))`,
      'pong',
    ],
    [
      'has a resource with null fields',
      `{ content: [{ type: 'resource', resource: { uri: 'a', text: 'so', blob: null, mimeType: null } }] }`,
      {
        output: { content: [{ type: 'resource', resource: { uri: 'a', text: 'so' } }] },
        text: '[resource: a]\nso',
      },
    ],
    [
      'has more values than any',
      '{ structuredContent: { a: Array(60_000).fill([]) } }',
      'Failed: The MCP server odd gave no answer: its answer has more than 50000 values.',
    ],
    [
      'has an object of too many keys',
      '{ structuredContent: Object.fromEntries(Array.from({ length: 6000 }, (_, n) => ["k" + n, 1])) }',
      'Failed: The MCP server odd gave no answer: its answer has an object of more than 5000 keys.',
    ],
    ['has a text with as many commas', `{ content: '{' + ','.repeat(60_000) }`, `{${','.repeat(60_000)}`],
    ['fails without saying why', '{ isError: true }', 'Failed: The tool failed, and does not say why.'],
  ])('%s', async (_, answer, expected) => {
    expect(await outcome(answer)).toEqual(expected)
  })

  it.each([
    [
      'names an unknown version',
      `{ protocolVersion: '1.0' }`,
      ['protocolVersion is "1.0", which is not known'],
    ],
    ['has no version', '{ protocolVersion: undefined }', ['protocolVersion is missing, which is not known']],
    ['has no capabilities', '{ capabilities: undefined }', ['capabilities is missing and no object']],
    ['has odd capabilities', '{ capabilities: { tools: true, logging: null, extra: 7 } }', []],
    ['has empty capabilities', '{ capabilities: {} }', []],
    ['does not say who it is', '{ serverInfo: null }', ['serverInfo is null and no object']],
    ['says odd things of itself', `{ serverInfo: { name: 7, icons: 'x' }, extra: [] }`, []],
    ['has odd instructions', '{ instructions: { a: 1 } }', ['instructions is {"a":1} and no text']],
  ])('to initialize costs no tool: it %s', async (_, initialize, faults) => {
    await using at = openFeature({ odd: rawServer({ list, initialize }) })

    expect((await at.offered()).tools.map(({ name }) => name)).toEqual(['odd_read'])
    expect(await at.conditions()).toEqual([
      'MCP: odd is connected: 1 tool.',
      ...faults.map((fault) => `MCP: odd: its first answer is repaired: ${fault}.`),
    ])
  })

  it.each(['application/json', 'text/event-stream'])('is repaired in a body of %s too', async (type) => {
    const refusal = { code: -32_000, message: 'Too much', data: 'Wait.' }
    const results: Record<string, unknown> = {
      initialize: { protocolVersion: 7 },
      'tools/list': { tools: [{ name: 'read', annotations: { readOnlyHint: true } }] },
      'tools/call': 'so',
    }
    let calls = 0
    const http = createServer((request, response) => {
      const body: Buffer[] = []
      request.on('data', (chunk: Buffer) => body.push(chunk))
      request.on('end', () => {
        if (request.method !== 'POST') return void response.writeHead(405).end()
        const { id, method } = JSON.parse(Buffer.concat(body).toString()) as { id?: number; method: string }
        if (id === undefined) return void response.writeHead(202).end()
        const isCall = method === 'tools/call'
        if (isCall) calls += 1
        const answer =
          isCall && calls === 3
            ? { jsonrpc: '2.0', id: null, error: refusal }
            : { jsonrpc: '2.0', id, result: results[method], extra: true }
        if (isCall && calls === 2)
          return void response.writeHead(429).end(JSON.stringify({ jsonrpc: '2.0', id, error: refusal }))
        response.writeHead(200, { 'content-type': type })
        response.end(
          type === 'application/json'
            ? JSON.stringify(answer, null, 2)
            : `id: 1\r\ndata: ${JSON.stringify(answer, null, 2).replaceAll('\n', '\r\ndata: ')}\r\n\r\n`,
        )
      })
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    try {
      await using at = openFeature({
        odd: { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/` },
      })
      const tool = await at.tool('odd_read')

      expect(await tool.execute({}, call())).toMatchObject({ text: 'so' })
      await expect(tool.execute({}, call())).rejects.toThrow('odd refuses the call: Too much: Wait.')
      // An error without the id of its request.
      await expect(tool.execute({}, call())).rejects.toThrow('odd refuses the call: Too much: Wait.')
    } finally {
      http.closeAllConnections()
      http.close()
    }
  })
})
