import type {
  Client,
  ConnectOptions,
  JSONRPCMessage,
  McpSubscription,
  Transport,
} from '@modelcontextprotocol/client'

import { lazy } from '../async/index.ts'
import { boundedFetch, type Fetch } from './bounded-fetch.ts'
import type { Headers } from './caller-headers.ts'
import type { Elicit } from './elicitation.ts'
import type { ErrorOutput } from './error-output.ts'
import type { HttpServer, ServerEntry, StdioServer } from './server-config.ts'
import { raceAbort } from './race-abort.ts'
import { createLineRepair, repairResponse } from './repair-lines.ts'
import { idIn, type Repair } from './repair-message.ts'
import {
  CLOSED,
  CLOSED_MESSAGE,
  isServerError,
  isVersionUnknown,
  readTooLarge,
  type TooLargeError,
} from './server-errors.ts'

/** The first start of a program may fetch it from a registry. */
const OPEN_TIMEOUT_MS = 60_000
/**
 * A program of an older version may not answer the question for its version. It is then asked in the older way, which
 * one that starts slowly answers once it has started. One that speaks the newer version alone gets more time at its
 * second start.
 */
const FIRST_PROBE_TIMEOUT_MS = 2000
const PROBE_TIMEOUT_MS = 20_000
const WATCH_TIMEOUT_MS = 3000
const SESSION_END_TIMEOUT_MS = 1000

/** An open connection to a server. `close` ends a program that we started. */
export type OpenClient = {
  readonly client: Client
  /** What of the server's first answer was repaired. */
  readonly repairs: readonly string[]
  /** Why a call has just ended without an answer, if the answer is to blame. One call has one reason. */
  readonly takeFault: () => TooLargeError | undefined
  /** Whether the server has given us a session, which it may forget. */
  readonly hasSession: () => boolean
  /** Listens for changes of the tools, where that must be asked for. */
  readonly watchTools: () => Promise<void>
  readonly close: () => Promise<void>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Makes of a `fetch` one for a caller who has signed in. */
export type Authorize = (send: Fetch) => Fetch

type ClientOptions = {
  /** The headers of the caller, in addition to the configured ones. */
  readonly headers: Headers
  readonly env: Environment
  /** Adds to each request what shows who asks. */
  readonly authorize?: Authorize
  /** Aborts the connection attempt. */
  readonly signal: AbortSignal
  readonly onClosed: () => void
  readonly onToolsChanged: () => void
  /** Called when no changes of the tools are heard of any more. */
  readonly onUnwatched: () => void
  readonly elicit: Elicit
  /** Gets what a program writes to its error output. */
  readonly output: ErrorOutput
}

/** Connects to a server, in the newest version of the protocol that it speaks. @throws why it does not answer */
export async function openClient(server: ServerEntry, options: ClientOptions): Promise<OpenClient> {
  options.signal.throwIfAborted()
  const isProgram = server.kind === 'stdio'
  const start = performance.now()
  try {
    return await openAs(server, options, { probeMs: isProgram ? FIRST_PROBE_TIMEOUT_MS : OPEN_TIMEOUT_MS })
  } catch (error) {
    const isSlow = isProgram && performance.now() - start > FIRST_PROBE_TIMEOUT_MS
    if (options.signal.aborted || !(isVersionUnknown(error) || (isSlow && isServerError(error)))) throw error
    if (isSlow) return openAs(server, options, { probeMs: PROBE_TIMEOUT_MS })
    // A server of an older version may fail in any way when it is asked for its version.
    return openAs(server, options, { prior: { kind: 'legacy' } })
  }
}

/** How long a server has to say which versions it speaks, or what is known of it. */
type Negotiation = { readonly probeMs: number } | { readonly prior: NonNullable<ConnectOptions['prior']> }

async function openAs(server: ServerEntry, options: ClientOptions, how: Negotiation): Promise<OpenClient> {
  const { signal, onClosed, onToolsChanged, elicit } = options
  const repairs: string[] = []
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client(
    { name: 'dragoman', version: '1' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: {
        mode: 'auto',
        ...('probeMs' in how && { probe: { timeoutMs: how.probeMs } }),
      },
    },
  )
  const repair = {
    isOpen: () => client.getProtocolEra() !== undefined,
    onFault: (fault: string) => void repairs.push(fault),
  }
  const transport = await createTransport(server, { ...options, repair })
  client.setRequestHandler('elicitation/create', ({ params }) => elicit(params))
  // The client closes it too, and waits for nothing then.
  const close = lazy(transport.close.bind(transport))
  transport.close = close
  // oxlint-disable-next-line prefer-add-event-listener -- a client has no listeners, but these
  client.onclose = onClosed
  let fault: TooLargeError | undefined
  // oxlint-disable-next-line prefer-add-event-listener -- as above
  client.onerror = ({ message }) => {
    fault = readTooLarge(message)
    // What is under way would be waited for until its time is over.
    if (message.startsWith('Maximum reconnection attempts')) void close()
  }
  const takeFault = (): TooLargeError | undefined => {
    const reason = fault
    fault = undefined
    return reason
  }
  client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged)
  // The library does not stop at the question for the version.
  const opened = new AbortController()
  signal.addEventListener('abort', () => void close(), { signal: opened.signal })
  try {
    await client.connect(transport, { timeout: OPEN_TIMEOUT_MS, signal, ...('prior' in how && how) })
  } catch (error) {
    await close()
    throw error
  } finally {
    opened.abort()
  }
  return {
    client,
    repairs,
    takeFault,
    close,
    hasSession: () => transport.sessionId !== undefined,
    watchTools: watchTools(client, options.onUnwatched),
  }
}

/** Older versions tell of changes unasked. */
function watchTools(client: Client, onUnwatched: () => void): () => Promise<void> {
  const isOffered = client.getServerCapabilities()?.tools?.listChanged === true
  let isWatching = client.getProtocolEra() === 'legacy' || !isOffered
  const watch = async ({ closed }: McpSubscription): Promise<void> => {
    const cause = await closed
    isWatching = false
    if (cause !== 'local') onUnwatched()
  }
  return async () => {
    if (isWatching) return
    isWatching = true
    try {
      void watch(await client.listen({ toolsListChanged: true }, { timeout: WATCH_TIMEOUT_MS }))
    } catch {
      isWatching = false
    }
  }
}

type Repairing = { readonly repair: Repair }

function createTransport(server: ServerEntry, options: ClientOptions & Repairing): Promise<Transport> {
  return server.kind === 'stdio' ? stdioTransport(server, options) : httpTransport(server, options)
}

/** The program gets its configured variables and none of our keys. */
async function stdioTransport(
  { command, args, env, cwd }: StdioServer,
  { env: ours, output, repair }: Pick<ClientOptions, 'env' | 'output'> & Repairing,
): Promise<Transport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const passed = Object.entries(ours).flatMap(([name, value]) =>
    value !== undefined && PASSED_VARIABLES.has(name) ? [[name, value] as const] : [],
  )
  /** To ask for the version, the library starts a second program, but not for a transport of another class. */
  class ProgramTransport extends StdioClientTransport {
    override async start(): Promise<void> {
      await super.start()
      this['_process']?.once('exit', output.end)
    }
  }
  const transport = new ProgramTransport({
    command,
    args: [...args],
    env: { ...Object.fromEntries(passed), ...env },
    stderr: 'pipe',
    // Lines are limited where they are repaired.
    maxBufferSize: Infinity,
    ...(cwd !== undefined && { cwd }),
  })
  const buffer = transport['_readBuffer']
  const append = buffer.append.bind(buffer)
  const lines = createLineRepair(repair)
  buffer.append = (chunk: Buffer) => append(Buffer.from(lines.push(chunk)))
  output.clear()
  // Read all the time: a program waits if its output is not read.
  transport.stderr?.on('data', (chunk: Buffer) => output.add(chunk.toString('utf8')))
  return transport
}

/** What a program needs to run, and to reach its service from this network. */
const PASSED_NAMES =
  'PATH HOME LANG LC_ALL TZ TMPDIR HTTPS_PROXY HTTP_PROXY NO_PROXY https_proxy http_proxy no_proxy'
const PASSED_VARIABLES: ReadonlySet<string> = new Set(PASSED_NAMES.split(' '))

async function httpTransport(
  { url, headers }: HttpServer,
  { headers: callers, authorize, repair }: Pick<ClientOptions, 'headers' | 'authorize'> & Repairing,
): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const fetch = authorize ? authorize(boundedFetch) : boundedFetch
  // Headers go to no other origin: the transport follows no redirect that leads there.
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...callers, ...headers } },
    fetch: async (to, init) =>
      repairResponse(await fetch(to, init), { ...repair, requestId: () => idIn(init?.body) }),
  })
  const send = transport.send.bind(transport)
  transport.send = async (message, options) =>
    send(message, { onRequestStreamEnd: () => endCutCall(transport, message), ...options })
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

/** A call whose stream has ended would wait for its whole time. One that has its answer ignores this. */
function endCutCall({ onmessage }: Transport, message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
  if ('method' in message && 'id' in message)
    onmessage?.({ jsonrpc: '2.0', id: message.id, error: { code: CLOSED, message: CLOSED_MESSAGE } })
}
