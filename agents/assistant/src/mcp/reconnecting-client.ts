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
  drop(line: OpenClient): void
  /** Closes for good. */
  close(): Promise<void>
}

export type ReconnectOptions = {
  readonly headers: Headers
  readonly env: Environment
  readonly now: () => number
  readonly report: (error: unknown) => void
}

/** Calls `onChanged` when the server's list of tools is out of date. */
export function reconnectingClient(
  server: ServerEntry,
  keeping: ReconnectOptions,
  onChanged: () => void,
): ReconnectingClient {
  const { headers, env, now, report } = keeping
  let opened: Promise<OpenClient> | undefined
  let current: OpenClient | undefined
  let lost: { readonly error: unknown; readonly until: number; readonly times: number } | undefined
  const closed = new AbortController()
  const closings = new Set<Promise<void>>()

  const forget = (line: Promise<OpenClient>): void => {
    if (opened !== line) return
    opened = undefined
    current = undefined
    onChanged()
  }
  const fail = (error: unknown): void => {
    const times = (lost?.times ?? 0) + 1
    const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1))
    lost = { error, times, until: now() + pause }
  }
  const begin = async (): Promise<OpenClient> => {
    const onClosed = (): void => forget(line)
    const { signal } = closed
    const line = openClient(server, { headers, env, signal, onClosed, onToolsChanged: onChanged })
    opened = line
    try {
      const open = await line
      lost = undefined
      if (opened === line) current = open
      return open
    } catch (error) {
      fail(error)
      forget(line)
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
    drop(line) {
      if (current === line && opened) forget(opened)
      end(line).catch(report)
    },
    async close() {
      closed.abort()
      // One that cannot be opened has closed itself.
      const last = await opened?.catch(() => undefined)
      if (last) await end(last)
      await Promise.all(closings)
    },
  }
}
