import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

import { ServiceError } from 'dragoman/errors'
import type { Headers } from './caller-headers.ts'
import { createErrorOutput, type ErrorOutput } from './error-output.ts'
import { listTools } from './list-tools.ts'
import { openClient, type Environment, type OpenClient } from './open-client.ts'
import { raceAbort } from './race-abort.ts'
import { readTools, type ToolList } from './read-tools.ts'
import { secretsOf, type ServerEntry } from './server-config.ts'
import { errorReason, errorStatus } from './server-errors.ts'

const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000
/** The limit of tools that are used of one server. */
const MAX_TOOLS = 500
/** The timeout of the MCP client must not end a call before our own. */
const CLIENT_TIMEOUT_MARGIN_MS = 60_000

/** What a server offers. `instructions`: what it says of the use of its tools. */
export type Offer = ToolList & { readonly instructions: string }

export type CallOptions = {
  readonly signal: AbortSignal
  readonly onProgress: (update: {
    progress: number
    total?: number | undefined
    message?: string | undefined
  }) => void
}
type Call = CallOptions & { readonly tool: string; readonly input: Record<string, unknown> }

/**
 * The connection to one server with the headers of one caller. It connects on first use and reconnects after a loss.
 * After a failure it pauses, longer each time, and throws the same error at once meanwhile.
 */
export interface ServerConnection {
  /** The server's tools and instructions, cached for `cacheMs`. @throws why the server does not answer */
  offer(): Promise<Offer>
  /** @throws the server's error, how the connection was lost, or the signal's reason if it aborted before the call */
  call(call: Call): Promise<CallToolResult>
  /** Whether calls are running. */
  readonly isBusy: boolean
  /** The last lines of a program's error output. */
  readonly errorOutput: string
  /** Closes for good. */
  close(): Promise<void>
}

export type ConnectionOptions = {
  readonly headers: Headers
  readonly env: Environment
  readonly now: () => number
  readonly report: (error: unknown) => void
  readonly warn: (problem: string) => void
}

type ClientOptions = ConnectionOptions & { readonly output: ErrorOutput }
type LostConnection = { readonly error: unknown; readonly times: number; readonly until: number }

export function serverConnection(server: ServerEntry, options: ConnectionOptions): ServerConnection {
  const { now } = options
  let cache: { readonly offer: Promise<Offer>; readonly until: number } | undefined
  let callCount = 0
  const output = createErrorOutput(secretsOf(server))
  const client = reconnectingClient(server, { ...options, output }, () => (cache = undefined))

  /** A restarted server does not know our session. A request that it refused for that reason was not executed. */
  const retryAfterReconnect = async <T>(
    ask: (open: OpenClient) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    for (let tries = 1; ; tries++) {
      const open = await (signal ? raceAbort(client.open(), signal) : client.open())
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
    async offer() {
      if (cache && now() < cache.until) return cache.offer
      const offer = retryAfterReconnect((open) => offerOf(open, server))
      const mine = { offer, until: now() + server.cacheMs }
      cache = mine
      try {
        return await offer
      } catch (error) {
        if (cache === mine) cache = undefined
        throw error
      }
    },
    async call(call) {
      callCount++
      try {
        return await retryAfterReconnect((open) => callTool(open, server, call), call.signal)
      } finally {
        callCount--
      }
    },
    get isBusy() {
      return callCount > 0
    },
    get errorOutput() {
      return output.lastLines
    },
    close: client.close,
  }
}

/** Calls `onChanged` when the server's list of tools is out of date. */
function reconnectingClient(server: ServerEntry, options: ClientOptions, onChanged: () => void) {
  const { now, report, output, warn } = options
  const warnOfEnd = endWarnings(server, output, warn)
  let opened: Promise<OpenClient> | undefined
  let current: OpenClient | undefined
  let lost: LostConnection | undefined
  const closed = new AbortController()
  const closings = new Set<Promise<void>>()

  const forget = (client: Promise<OpenClient>): void => {
    if (opened !== client) return
    opened = undefined
    current = undefined
    onChanged()
  }
  const connect = async (): Promise<OpenClient> => {
    output.clear()
    const onClosed = (): void => {
      if (current && opened === client && !closed.signal.aborted) warnOfEnd('it closed the connection')
      forget(client)
    }
    const hooks = { onClosed, onToolsChanged: onChanged, onErrorOutput: output.add }
    const client = openClient(server, { ...options, ...hooks, signal: closed.signal })
    opened = client
    try {
      const open = await client
      lost = undefined
      if (opened === client) current = open
      return open
    } catch (error) {
      lost = nextLoss(error, (lost?.times ?? 0) + 1, now())
      if (!closed.signal.aborted) warnOfEnd(errorReason(error))
      forget(client)
      throw error
    }
  }
  const end = async ({ close }: OpenClient): Promise<void> => {
    const closing = close()
    closings.add(closing)
    await closing.finally(() => closings.delete(closing))
  }
  return {
    async open(): Promise<OpenClient> {
      if (closed.signal.aborted) throw new ServiceError('unavailable', 'The server is shutting down.')
      if (opened) return opened
      if (lost && now() < lost.until) throw lost.error
      return connect()
    },
    drop(client: OpenClient): void {
      if (current === client && opened) forget(opened)
      end(client).catch(report)
    },
    async close(): Promise<void> {
      closed.abort()
      // A client that failed to open has closed itself.
      const last = await opened?.catch(() => undefined)
      await Promise.all([...closings, last && end(last)])
    },
  }
}

/** Warns of the end of a program that has said itself why it ends, once for each reason. */
function endWarnings(
  { name }: ServerEntry,
  output: ErrorOutput,
  warn: (problem: string) => void,
): (reason: string) => void {
  let last = ''
  return (reason) => {
    const warning = `MCP: ${name}: ${reason}. Its error output: ${output.lastLines}`
    if (output.lastLines !== '' && warning !== last) warn(warning)
    last = warning
  }
}

/** Each loss in a row doubles the pause before the next attempt. */
function nextLoss(error: unknown, times: number, now: number): LostConnection {
  return { error, times, until: now + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1)) }
}

async function callTool(
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

async function offerOf({ client }: OpenClient, { tools: names }: ServerEntry): Promise<Offer> {
  const { tools: raw, fault } = await listTools(client)
  const instructions = client.getInstructions()?.trim() ?? ''
  const { tools, notes } = readTools(raw, names)
  const isTooMany = tools.length > MAX_TOOLS
  return {
    instructions,
    tools: tools.slice(0, MAX_TOOLS),
    notes: [
      ...notes,
      ...(fault === undefined ? [] : [fault]),
      ...(isTooMany ? [`only the first ${MAX_TOOLS} of its ${tools.length} tools are used`] : []),
    ],
  }
}
