import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it } from 'vitest'

import { call, openFeature } from './mcp.fixture.ts'
import { rawServer } from './raw-server.fixture.ts'

const tool = { name: 'read', inputSchema: { type: 'object' } }
const LIMIT = 16 * 1024 ** 2

/** What a call says whose server answers in a stream of events. */
async function outcome(play: (response: ServerResponse, id: number) => void): Promise<unknown> {
  const http = createServer((request, response) => {
    const body: Buffer[] = []
    request.on('data', (chunk: Buffer) => body.push(chunk))
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method, params } = JSON.parse(Buffer.concat(body).toString())
      if (id === undefined) return void response.writeHead(202).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (method === 'tools/call') return play(response, id)
      const { protocolVersion } = params ?? {}
      const result =
        method === 'tools/list' ? { tools: [tool] } : { protocolVersion, capabilities: { tools: {} } }
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
    await using at = openFeature({ web: { url, timeout: 20 } })
    const { execute } = await at.tool('web_read')
    return await Promise.resolve(execute({}, call())).then(
      (result) => (result as { text: string }).text,
      (error: Error) => error.message,
    )
  } finally {
    http.closeAllConnections()
    http.close()
  }
}

const answer = (id: number, text: string): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: text } })}\n\n`

describe('a call to an MCP server whose answer is cut', () => {
  it.each<[string, (response: ServerResponse, id: number) => void]>([
    ['before its first event', (response) => response.write(': so\n\n', () => response.destroy())],
    ['within its event', (response) => response.write('data: {"json', () => response.destroy())],
    ['by an end without an answer', (response) => response.end(': so\n\n')],
  ])('fails at once %s', async (_, play) => {
    expect(await outcome(play)).toBe(
      'The MCP server web gave no answer: it closed the connection. ' +
        'Whether the call has done its work is not known.',
    )
  })

  it('has the answer that came before', async () => {
    expect(await outcome((response, id) => response.write(answer(id, 'so'), () => response.destroy()))).toBe(
      'so',
    )
  })

  it('learns the limit of a stream of events', async () => {
    expect(await outcome((response, id) => response.end(answer(id, 'x'.repeat(LIMIT))))).toContain(
      'its answer is larger than 16 MB',
    )
  })

  it('learns the limit of values of an event', async () => {
    const result = { structuredContent: { a: Array.from({ length: 60_000 }, () => []) } }
    const event = (id: number): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`
    expect(await outcome((response, id) => response.end(event(id)))).toContain(
      'its answer has more than 50000 values',
    )
  })
})

describe('a large answer of a program', () => {
  it.each([
    [12 * 1024 ** 2, '[cut here: '],
    [LIMIT, 'The MCP server odd gave no answer: its answer is larger than 16 MB.'],
  ])('of %d characters is read up to the limit', async (length, expected) => {
    const answers = { list: `{ tools: [tool('read')] }`, call: `{ content: 'x'.repeat(${length}) }` }
    await using at = openFeature({ odd: rawServer(answers) })
    const { execute } = await at.tool('odd_read')

    const outcomeText = await Promise.resolve(execute({}, call())).then(
      (result) => (result as { text: string }).text,
      (error: Error) => error.message,
    )
    expect(outcomeText).toContain(expected)
  })
})
