import { callTool, type Call, type RawResult } from './call-tool.ts'
import { elicitations, type Elicit } from './elicitation.ts'
import { createErrorOutput } from './error-output.ts'
import { listTools } from './list-tools.ts'
import type { OpenClient } from './open-client.ts'
import { raceAbort } from './race-abort.ts'
import { readTools, type ToolList } from './read-tools.ts'
import { reconnectingClient, type ConnectionOptions } from './reconnecting-client.ts'
import { secretsOf, type ServerEntry } from './server-config.ts'
import {
  errorReason,
  errorStatus,
  isAnswer,
  isClosed,
  isOtherVersion,
  isOutdated,
  isSignInError,
} from './server-errors.ts'

/** The limit of tools that are used of one server. */
const MAX_TOOLS = 500

/** What a server offers. `instructions`: what it says of the use of its tools. */
export type Offer = ToolList & {
  readonly instructions: string
  /** Whether the server has said since that its list has changed. */
  readonly isStale: () => boolean
}

/**
 * The connection to one server with the headers of one caller. It connects on first use and reconnects after a loss.
 * After a failure it pauses, longer each time, and throws the same error at once meanwhile.
 */
export interface ServerConnection {
  /** The server's tools and instructions, cached for `cacheMs`. @throws why the server does not answer */
  offer(): Promise<Offer>
  /** @throws the server's error, how the connection was lost, or the signal's reason if it aborted before the call */
  call(call: Call): Promise<RawResult>
  /** Whether calls are running. */
  readonly isBusy: boolean
  /** How a program has ended, for the owner. */
  readonly lastWords: string
  /** Closes for good. */
  close(): Promise<void>
}

export function serverConnection(server: ServerEntry, options: ConnectionOptions): ServerConnection {
  const { running, elicit } = elicitations()
  const output = createErrorOutput(secretsOf(server))
  const offers = createOfferCache(server, options.now)
  const { forget: onLost, change: onToolsChanged } = offers
  const client = reconnectingClient(server, { ...options, output, elicit, onLost, onToolsChanged })
  const watchList = listWarnings(server, options.warn)

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
        const isForgotten = (status === 400 || status === 404) && open.hasSession()
        const isUnknown = isForgotten || isOtherVersion(error)
        if ((status === undefined && !isUnknown) || isAnswer(error)) throw error
        client.drop(open)
        if (tries > 1 || !isUnknown) throw error
      }
    }
  }
  return {
    offer: async () =>
      offers.get(() =>
        watchList((onOpen) =>
          retryAfterReconnect(async (open) => {
            onOpen()
            return offerOf(open, server)
          }),
        ),
      ),
    async call(call) {
      // Two calls may have the same function.
      const ask: Elicit = (params) => call.elicit(params)
      running.add(ask)
      try {
        return await retryAfterReconnect((open) => callTool(open, call), call.signal)
      } catch (error) {
        if (isOutdated(error)) onToolsChanged()
        throw error
      } finally {
        running.delete(ask)
      }
    },
    get isBusy() {
      return running.size > 0
    },
    get lastWords() {
      return output.lastWords
    },
    close: client.close,
  }
}

/** Warns that a server answers and does not list its tools, once for each reason. A loss has its own warning. */
function listWarnings({ name }: ServerEntry, warn: ConnectionOptions['warn']) {
  let last: string | undefined
  return async <T>(list: (onOpen: () => void) => Promise<T>): Promise<T> => {
    let isOpen = false
    try {
      const found = await list(() => (isOpen = true))
      last = undefined
      return found
    } catch (error) {
      const isWarned = !isOpen || isClosed(error) || isSignInError(error) || errorReason(error) === last
      if (!isWarned) warn(`MCP: ${name}: it does not list its tools: ${(last = errorReason(error))}.`)
      throw error
    }
  }
}

type ServerOffer = Omit<Offer, 'isStale'> & { readonly ttlMs: number }

/** What a server has offered, for its time or until the server says that it has changed. */
function createOfferCache({ cacheMs }: ServerEntry, now: () => number) {
  let cache: { readonly offer: Promise<Offer>; until: number } | undefined
  let changes = 0
  return {
    async get(load: () => Promise<ServerOffer>): Promise<Offer> {
      if (cache && now() < cache.until) return cache.offer
      const before = changes
      const isStale = (): boolean => changes !== before
      const offer = load().then(({ ttlMs, ...loaded }) => {
        mine.until = now() + (cacheMs ?? ttlMs)
        return { ...loaded, isStale }
      })
      const mine = { offer, until: Infinity }
      cache = mine
      try {
        return await mine.offer
      } catch (error) {
        if (cache === mine) cache = undefined
        throw error
      }
    },
    forget(): void {
      cache = undefined
    },
    change(): void {
      changes += 1
      cache = undefined
    },
  }
}

async function offerOf(
  { client, repairs, watchTools }: OpenClient,
  server: ServerEntry,
): Promise<ServerOffer> {
  await watchTools()
  const { tools: raw, fault, ttlMs } = await listTools(client)
  const instructions = client.getInstructions()?.trim() ?? ''
  const sendsHeaders = server.kind === 'http' && client.getProtocolEra() === 'modern'
  const { tools, notes } = readTools(raw, { names: server.tools, sendsHeaders })
  const isTooMany = tools.length > MAX_TOOLS
  return {
    instructions,
    ttlMs,
    tools: tools.slice(0, MAX_TOOLS),
    notes: [
      ...repairs.map((each) => `its first answer is repaired: ${each}`),
      ...notes,
      ...(fault === undefined ? [] : [fault]),
      ...(isTooMany ? [`only the first ${MAX_TOOLS} of its ${tools.length} tools are used`] : []),
    ],
  }
}
