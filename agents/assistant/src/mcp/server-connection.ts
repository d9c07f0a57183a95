import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'

import type { ServerEntry } from './server-config.ts'
import { reconnectingClient, type ReconnectOptions } from './reconnecting-client.ts'
import type { OpenClient } from './open-client.ts'
import { errorStatus } from './server-errors.ts'
import { raceAbort } from './race-abort.ts'

const LIST_TIMEOUT_MS = 30_000
/** Limits of an endless list. */
const MAX_TOOLS = 500
const MAX_PAGES = 100
/** The client's own clock must not end a call before ours does. */
const CLIENT_TIMEOUT_MARGIN_MS = 60_000

export type CallOptions = {
  readonly signal: AbortSignal
  readonly onProgress: (news: {
    progress: number
    total?: number | undefined
    message?: string | undefined
  }) => void
}
type Call = CallOptions & { readonly tool: string; readonly input: Record<string, unknown> }

/** The connection of one caller's headers to one server. */
export interface ServerConnection {
  /** The server's tools, cached for `cacheMs`. @throws why the server does not answer */
  tools(): Promise<readonly McpTool[]>
  /** @throws the server's error, how the connection was lost, or the signal's reason if it aborted before the call */
  call(call: Call): Promise<CallToolResult>
  /** Whether calls are under way. */
  readonly isBusy: boolean
  /** Closes for good. */
  close(): Promise<void>
}

export function serverConnection(server: ServerEntry, options: ReconnectOptions): ServerConnection {
  let cache: { readonly tools: Promise<readonly McpTool[]>; readonly until: number } | undefined
  let callCount = 0
  const client = reconnectingClient(server, options, () => (cache = undefined))

  /** A server that has begun anew knows nothing of us: what it refused for that reason it has not done. */
  const retryAfterReconnect = async <T>(
    ask: (client: OpenClient) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    for (let tries = 1; ; tries++) {
      const opening = client.open()
      const open = await (signal ? raceAbort(opening, signal) : opening)
      try {
        return await ask(open)
      } catch (error) {
        const status = errorStatus(error)
        if (status === undefined) throw error
        client.drop(open)
        if (tries > 1 || (status !== 400 && status !== 404)) throw error
      }
    }
  }
  return {
    async tools() {
      if (cache && options.now() < cache.until) return cache.tools
      const tools = retryAfterReconnect(allTools)
      const mine = { tools, until: options.now() + server.cacheMs }
      cache = mine
      try {
        return await tools
      } catch (error) {
        if (cache === mine) cache = undefined
        throw error
      }
    },
    async call(call) {
      callCount++
      try {
        return await retryAfterReconnect((open) => callOn(open, server, call), call.signal)
      } finally {
        callCount--
      }
    },
    get isBusy() {
      return callCount > 0
    },
    close: client.close,
  }
}

async function callOn(
  { client }: OpenClient,
  { timeoutMs }: ServerEntry,
  { tool, input, signal, onProgress }: Call,
): Promise<CallToolResult> {
  const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
  signal.throwIfAborted()
  const request = { method: 'tools/call', params: { name: tool, arguments: input } } as const
  const timeout = timeoutMs + CLIENT_TIMEOUT_MARGIN_MS
  return client.request(request, CallToolResultSchema, { signal, timeout, onprogress: onProgress })
}

/** Page by page. What a tool gives is not checked here: it is data, whatever its server promised. */
async function allTools({ client }: OpenClient): Promise<readonly McpTool[]> {
  if (!client.getServerCapabilities()?.tools) return []
  const { ListToolsResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
  const found: McpTool[] = []
  let cursor: string | undefined
  for (let pages = 1; pages <= MAX_PAGES && found.length < MAX_TOOLS; pages++) {
    const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } } as const
    const page = await client.request(request, ListToolsResultSchema, { timeout: LIST_TIMEOUT_MS })
    found.push(...page.tools)
    if (page.nextCursor === undefined || page.nextCursor === cursor) break
    cursor = page.nextCursor
  }
  return found.slice(0, MAX_TOOLS)
}
