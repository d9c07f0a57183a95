import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { getRequestListener } from '@hono/node-server'
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

export type ModernNotes = AsyncDisposable & {
  readonly url: string
  readonly port: number
  /** The requests: their methods, and the names of their tools. */
  readonly requests: readonly string[]
  /** Adds a tool, and tells all who listen. With the tool `area`, the parameter of `near` has another header. */
  addTool(name: string, isAnnounced?: boolean): void
}

const city = z.object({ city: z.string().default('Oslo') })

/** A server of the official library, in the protocol of 2026-07-28 and in older ones. */
export function modernServer(tools: readonly string[] = [], onCancel?: () => void): McpServer {
  const server = new McpServer({ name: 'modern', version: '1' }, { instructions: 'Ask first.' })
  const readOnly = { annotations: { readOnlyHint: true } }
  server.registerTool('weather', readOnly, (context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'where', city)
    if (answer) return { content: [{ type: 'text', text: `Rain in ${answer.city}` }] }
    const where = inputRequired.elicit({ message: 'Where?', requestedSchema: city })
    return inputRequired({ inputRequests: { where } })
  })
  const region = z.string().meta({ 'x-mcp-header': tools.includes('area') ? 'Area' : 'Region' })
  server.registerTool('near', { ...readOnly, inputSchema: z.object({ region }) }, (input) => ({
    content: [{ type: 'text', text: `Near ${input.region}` }],
  }))
  server.registerTool('hang', readOnly, async ({ mcpReq: { signal } }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    onCancel?.()
    return { content: [] }
  })
  for (const name of tools) server.registerTool(name, {}, () => ({ content: [] }))
  return server
}

export async function modernNotes({ port = 0 } = {}): Promise<ModernNotes> {
  const tools: string[] = []
  const requests: string[] = []
  const handler = createMcpHandler(() => modernServer(tools, () => requests.push('cancelled')))
  const listener = getRequestListener((request) => handler.fetch(request))
  const http = createServer((request, response) => {
    const of = (name: string): string => String(request.headers[name] ?? '')
    requests.push(`${of('mcp-method')} ${of('mcp-name')} ${of('mcp-param-region')}`.trim())
    void listener(request, response)
  })
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  const at = (http.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${at}/mcp`,
    port: at,
    requests,
    addTool(name, isAnnounced = true) {
      tools.push(name)
      if (isAnnounced) handler.notify.toolsChanged()
    },
    async [Symbol.asyncDispose]() {
      await handler.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** The same as a program, which speaks no older version. */
export const modernProgram = {
  command: process.execPath,
  args: [join(import.meta.dirname, 'modern-program.fixture.ts')],
}
