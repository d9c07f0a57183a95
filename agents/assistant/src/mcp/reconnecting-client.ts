import { ServiceError } from 'dragoman/errors'
import type { Headers } from './caller-headers.ts'
import type { ServerEntry } from './server-config.ts'
import { openClient, type Environment, type OpenClient } from './open-client.ts'

const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000

/**
 * A client of one server. It connects on first use and reconnects after a loss. After a failure it pauses, longer each
 * time, and throws the same error at once meanwhile.
 */
export interface ReconnectingClient {
  /** The open client, or a new one. @throws why the server does not answer */
  open(): Promise<OpenClient>
  /** Discards a broken client. */
  drop(client: OpenClient): void
  /** Closes for good. */
  close(): Promise<void>
}

export type ReconnectOptions = {
  readonly headers: Headers
  readonly env: Environment
  readonly now: () => number
  readonly report: (error: unknown) => void
}

type LostConnection = { readonly error: unknown; readonly times: number; readonly until: number }

/** Calls `onChanged` when the server's list of tools is out of date. */
export function reconnectingClient(
  server: ServerEntry,
  options: ReconnectOptions,
  onChanged: () => void,
): ReconnectingClient {
  const { headers, env, now, report } = options
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
  const connect = (onClosed: () => void): Promise<OpenClient> =>
    openClient(server, { headers, env, signal: closed.signal, onClosed, onToolsChanged: onChanged })
  const begin = async (): Promise<OpenClient> => {
    const client = connect(() => forget(client))
    opened = client
    try {
      const open = await client
      lost = undefined
      if (opened === client) current = open
      return open
    } catch (error) {
      lost = nextLoss(error, (lost?.times ?? 0) + 1, now())
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
    async open() {
      if (closed.signal.aborted) throw new ServiceError('unavailable', 'The server is shutting down.')
      if (opened) return opened
      if (lost && now() < lost.until) throw lost.error
      return begin()
    },
    drop(client) {
      if (current === client && opened) forget(opened)
      end(client).catch(report)
    },
    async close() {
      closed.abort()
      // A client that failed to open has closed itself.
      const last = await opened?.catch(() => undefined)
      await Promise.all([...closings, last && end(last)])
    },
  }
}

/** Each loss in a row doubles the pause before the next attempt. */
function nextLoss(error: unknown, times: number, now: number): LostConnection {
  return { error, times, until: now + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1)) }
}
