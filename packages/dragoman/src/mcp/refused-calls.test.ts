import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it } from 'vitest'

import type { Json } from '../events/index.ts'
import { call, openFeature } from './mcp.fixture.ts'

type Reply = { readonly status: number; readonly id: 'of the call' | null; readonly hasSession: boolean }

/** A server that lists a tool and refuses each call of it. After it has, it takes no request of that session. */
async function refuser({ status, id, hasSession }: Reply) {
  const methods: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message = request.method === 'POST' ? await readMessage(request) : {}
    methods.push(message.method ?? String(request.method))
    const reply = (code: number, body: object, headers = {}): void => {
      response.writeHead(code, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }))
    }
    const session = hasSession ? { 'mcp-session-id': randomUUID() } : {}
    const { params } = message
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'refuser', version: '1' },
      },
      'tools/list': { tools: [{ name: 'write', inputSchema: { type: 'object' } }] },
    }
    const result = results[message.method ?? '']
    const error = { code: -32_602, message: 'There is no such row.' }
    if (result) reply(200, { result }, message.method === 'initialize' ? session : {})
    else if (message.method === 'tools/call') reply(status, { error, ...(id === null && { id }) })
    else if (message.id === undefined) response.writeHead(202).end()
    else reply(200, { error: { code: -32_601, message: 'Unknown' } })
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls: () => methods.filter((method) => method === 'tools/call').length,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Message = {
  readonly id?: Json
  readonly method?: string
  readonly params?: { readonly protocolVersion?: string }
}

async function readMessage(request: IncomingMessage): Promise<Message> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return JSON.parse(text) as Message
}

describe('a call that an MCP server refuses with an HTTP status', () => {
  it.each<[string, Reply, number]>([
    ['once, where it is an answer', { status: 400, id: 'of the call', hasSession: false }, 1],
    ['once, where it is an answer in a session', { status: 404, id: 'of the call', hasSession: true }, 1],
    ['once, where no session can be lost', { status: 404, id: null, hasSession: false }, 1],
    ['again in a new session, where it is unknown', { status: 404, id: null, hasSession: true }, 2],
  ])('is sent %s', async (_name, reply, calls) => {
    await using server = await refuser(reply)
    await using at = openFeature({ rows: { url: server.url } })
    const tool = await at.tool('rows_write')

    await expect(tool.execute({}, call())).rejects.toThrow('There is no such row.')
    expect(server.calls()).toBe(calls)
  })
})
