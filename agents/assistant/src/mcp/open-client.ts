import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

import { lazy } from 'dragoman/async'
import type { Headers } from './caller-headers.ts'
import type { HttpServer, ServerEntry, StdioServer } from './server-config.ts'
import { raceAbort } from './race-abort.ts'

/** The first start of a program may fetch it from a registry. */
const OPEN_TIMEOUT_MS = 60_000
const SESSION_END_TIMEOUT_MS = 1000
/** The limit of one response. */
const MAX_RESPONSE_BYTES = 16 * 1024 ** 2

/** An open connection to a server. `close` ends a program that we started. */
export type OpenClient = { readonly client: Client; readonly close: () => Promise<void> }

export type Environment = Readonly<Record<string, string | undefined>>

type ClientOptions = {
  /** The headers of the caller, in addition to the configured ones. */
  readonly headers: Headers
  readonly env: Environment
  /** Aborts the connection attempt. */
  readonly signal: AbortSignal
  readonly onClosed: () => void
  readonly onToolsChanged: () => void
  /** Called with what a program writes to its error output. */
  readonly onErrorOutput: (text: string) => void
}

/** Connects to a server. @throws why it does not answer */
export async function openClient(server: ServerEntry, options: ClientOptions): Promise<OpenClient> {
  const { headers, signal, onClosed, onToolsChanged } = options
  const [{ Client }, { ToolListChangedNotificationSchema }, transport] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    server.kind === 'stdio' ? stdioTransport(server, options) : httpTransport(server, headers),
  ])
  const client = new Client({ name: 'dragoman', version: '1' })
  // The client closes it too, and waits for nothing then.
  const close = lazy(transport.close.bind(transport))
  transport.close = close
  // oxlint-disable-next-line prefer-add-event-listener -- a client has no listeners, but these
  client.onclose = onClosed
  // oxlint-disable-next-line prefer-add-event-listener -- as above
  client.onerror = (error) => {
    // What is under way would be waited for until its time is over.
    if (error.message.startsWith('Maximum reconnection attempts')) void close()
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged)
  try {
    await client.connect(transport, { timeout: OPEN_TIMEOUT_MS, signal })
  } catch (error) {
    await close()
    throw error
  }
  return { client, close }
}

/** The program gets its configured variables and none of our keys. */
async function stdioTransport(
  { command, args, env, cwd }: StdioServer,
  { env: ours, onErrorOutput }: Pick<ClientOptions, 'env' | 'onErrorOutput'>,
): Promise<Transport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const passed = Object.entries(ours).flatMap(([name, value]) =>
    value !== undefined && PASSED_VARIABLES.has(name) ? [[name, value] as const] : [],
  )
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...Object.fromEntries(passed), ...env },
    stderr: 'pipe',
    ...(cwd !== undefined && { cwd }),
  })
  // Read all the time: a program waits if its output is not read.
  transport.stderr?.on('data', (chunk: Buffer) => onErrorOutput(chunk.toString('utf8')))
  return transport
}

const PASSED_VARIABLES: ReadonlySet<string> = new Set(['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'])

async function httpTransport({ url, headers }: HttpServer, callers: Headers): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  // Headers go to no other origin: the transport follows no redirect that leads there.
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...callers, ...headers } },
    fetch: boundedFetch,
  })
  const close = transport.close.bind(transport)
  transport.close = async () => {
    // A server that is gone forgets us by itself.
    await raceAbort(transport.terminateSession(), AbortSignal.timeout(SESSION_END_TIMEOUT_MS)).catch(
      () => undefined,
    )
    await close()
  }
  return transport
}

/** Limits responses, so that an endless one cannot fill the memory. Event streams may be endless. */
async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (init?.method !== 'POST' || !response.ok || !response.body) return response
  let bytes = 0
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > MAX_RESPONSE_BYTES) controller.error(new Error('The answer is too large.'))
      else controller.enqueue(chunk)
    },
  })
  return new Response(response.body.pipeThrough(counting), response)
}
