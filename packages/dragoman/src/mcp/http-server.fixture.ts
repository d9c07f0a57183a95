import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

export type HttpNotes = AsyncDisposable & {
  readonly url: string
  readonly port: number
  /** The conversations that are open, by the user whose they are. */
  readonly open: readonly string[]
  /** The received requests: their methods and headers. */
  readonly heard: readonly string[]
  /** Adds a tool to what each user is offered, and tells all who listen. */
  addTool(name: string): void
}

type Open = {
  readonly user: string
  readonly server: McpServer
  readonly transport: StreamableHTTPServerTransport
}

const KEYS: Readonly<Record<string, string>> = { 'Bearer adas-secret': 'ada', 'Bearer bobs-secret': 'bob' }

/** A server of the official library, which knows its users by their keys: each may look who they are. */
export async function httpNotes({ port = 0, anybody = false } = {}): Promise<HttpNotes> {
  const conversations = new Map<string, Open>()
  const more: string[] = []
  const requests: string[] = []

  const begin = async (user: string): Promise<Open> => {
    const server = notesOf(user, requests)
    for (const name of more) server.registerTool(name, {}, () => ({ content: [] }))
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void conversations.set(id, open),
      onsessionclosed: (id) => void conversations.delete(id),
    })
    const open = { user, server, transport }
    await server.connect(transport)
    return open
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const user = anybody ? 'anybody' : KEYS[request.headers.authorization ?? '']
    if (user === undefined) return void response.writeHead(401).end('Who is Bearer adas-secret?')
    const id = request.headers['mcp-session-id']
    if (typeof id !== 'string') return (await begin(user)).transport.handleRequest(request, response)
    const open = conversations.get(id)
    if (open?.user !== user) return void response.writeHead(404).end()
    return open.transport.handleRequest(request, response)
  }
  const http = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  const at = (http.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${at}/mcp`,
    port: at,
    get open() {
      return Array.from(conversations.values(), ({ user }) => user)
    },
    heard: requests,
    addTool(name) {
      more.push(name)
      for (const { server } of conversations.values()) server.registerTool(name, {}, () => ({ content: [] }))
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

function notesOf(user: string, requests: string[]): McpServer {
  const server = new McpServer({ name: 'notes', version: '1' })
  server.registerTool('whoami', { annotations: { readOnlyHint: true } }, () => {
    requests.push(`whoami ${user}`)
    return { content: [{ type: 'text', text: user }] }
  })
  server.registerTool('hang', { annotations: { readOnlyHint: true } }, async ({ signal }) => {
    requests.push('hang')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    requests.push('hang was cancelled')
    return { content: [] }
  })
  server.registerTool('notes.drop', { description: 'Drops all notes.' }, async ({ signal }) => {
    requests.push('drop')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { content: [] }
  })
  return server
}
