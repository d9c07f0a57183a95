import { ServiceError } from '../errors.ts'
import type { Headers } from './caller-headers.ts'
import type { Elicit } from './elicitation.ts'
import type { ErrorOutput } from './error-output.ts'
import { openClient, type Authorize, type Environment, type OpenClient } from './open-client.ts'
import type { ServerEntry } from './server-config.ts'
import { errorReason, isSignInError } from './server-errors.ts'

const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000

export type ConnectionOptions = {
  readonly headers: Headers
  readonly authorize?: Authorize
  readonly env: Environment
  readonly now: () => number
  readonly report: (error: unknown) => void
  readonly warn: (problem: string) => void
}

type ClientOptions = ConnectionOptions & {
  readonly output: ErrorOutput
  readonly elicit: Elicit
  readonly onLost: () => void
  /** Called when the server says that its list of tools has changed. */
  readonly onToolsChanged: () => void
}
type LostConnection = { readonly error: unknown; readonly times: number; readonly until: number }

/** The client of one server, as `ServerConnection` describes it. */
export function reconnectingClient(server: ServerEntry, options: ClientOptions) {
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
    options.onLost()
  }
  const connect = async (): Promise<OpenClient> => {
    const onClosed = (): void => {
      if (current && opened === client && !closed.signal.aborted) warnOfEnd('it closed the connection')
      forget(client)
    }
    const listeners = { onClosed, onUnwatched: options.onLost }
    const client = openClient(server, { ...options, ...listeners, signal: closed.signal })
    opened = client
    try {
      const open = await client
      lost = undefined
      if (opened === client) current = open
      return open
    } catch (error) {
      lost = nextLoss(error, (lost?.times ?? 0) + 1, now())
      if (!closed.signal.aborted && !isSignInError(error)) warnOfEnd(errorReason(error))
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

/** Warns that a server cannot be used, once for each reason. A program may have said itself why it ends. */
function endWarnings(
  { name }: ServerEntry,
  output: ErrorOutput,
  warn: (problem: string) => void,
): (reason: string) => void {
  let last = ''
  return (reason) => {
    const warning = `MCP: ${name}: ${reason}. ${output.lastWords}`.trim()
    if (warning !== last) warn(warning)
    last = warning
  }
}

/** Each loss in a row doubles the pause before the next attempt. */
function nextLoss(error: unknown, times: number, now: number): LostConnection {
  return { error, times, until: now + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1)) }
}
