import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'

import { beating, type Feed } from '../feed.ts'
import type { HttpEnv } from './app.ts'

const HEADERS = {
  'content-type': 'text/event-stream',
  // Who compresses, as some proxies do, gathers before they pass on.
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  // nginx and its like hold a stream back until they have a buffer full.
  'x-accel-buffering': 'no',
}

/** What a socket is given at a time. */
const PIECE_BYTES = 64 * 1024

export type Delivery = {
  readonly feed: Feed
  readonly heartbeat: string
  readonly headers: Readonly<Record<string, string>>
  /** Aborted when the answer has ended, however; to abort it ends the answer. */
  readonly gone: AbortController
}

/** Answers with a feed, once all have set their headers. */
export function deliver(c: Context<HttpEnv>, { feed, heartbeat, headers, gone }: Delivery): Response {
  const beaten = beating(feed, heartbeat)
  gone.signal.addEventListener('abort', () => beaten.close(), { once: true })
  c.set('feed', { ...beaten, close: () => gone.abort() })
  return c.body(null, 200, { ...HEADERS, ...headers })
}

/**
 * Sends what was asked to be delivered. A stream of the web's costs about as much for each chunk as all that we do for it ourselves, so
 * the bytes go straight to Node's response where there is one. `stalledMs`: after so long without taking anything a reader is cut off.
 */
export function delivery(stalledMs: number): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next()
    const feed = c.get('feed')
    if (!feed) return
    // To HEAD nothing is said: Hono makes an answer of its own from ours.
    if (c.error || c.req.raw.method === 'HEAD') return feed.close()
    const outgoing = (c.env as HttpEnv['Bindings'] | undefined)?.outgoing
    const { status, headers } = c.res
    // Hono would join the headers of the old answer to those of the new.
    c.res = undefined
    if (!outgoing) {
      c.res = new Response(bodyOf(feed), { status, headers })
      return
    }
    outgoing.writeHead(status, Object.fromEntries(headers))
    outgoing.flushHeaders()
    pump(feed, outgoing, stalledMs)
    c.res = RESPONSE_ALREADY_SENT
  }
}

type Outgoing = NonNullable<HttpEnv['Bindings']['outgoing']>

/** Nothing is taken that the socket cannot take. Where the feed breaks, the socket is destroyed: a clean end would read as success. */
function pump(feed: Feed, outgoing: Outgoing, stalledMs: number): void {
  // Whoever left before there was an answer is not told of again.
  if (outgoing.destroyed) return feed.close()
  const next = inPieces(feed)
  let stalled: NodeJS.Timeout | undefined
  /** Until the socket has taken all. Who asks for several things at once has none before the first has been answered. */
  const watch = (): void => {
    stalled = setTimeout(() => void (outgoing.socket ? outgoing.destroy() : watch()), stalledMs)
  }
  const go = (): void => {
    clearTimeout(stalled)
    try {
      while (!outgoing.destroyed) {
        const taken = next()
        if (taken === 'wait') return feed.whenMore(go)
        if (taken === 'end') {
          watch()
          return void outgoing.end(() => clearTimeout(stalled))
        }
        if (!outgoing.write(taken)) {
          watch()
          return void outgoing.once('drain', go)
        }
      }
    } catch {
      outgoing.destroy()
    }
  }
  outgoing.once('close', () => {
    clearTimeout(stalled)
    feed.close()
  })
  go()
}

/** So that one who reads slowly is seen to read, however large an entry is. */
function inPieces(feed: Feed): Feed['take'] {
  let rest: Uint8Array | undefined
  return () => {
    const taken = rest ?? feed.take()
    if (typeof taken === 'string') return taken
    rest = taken.length > PIECE_BYTES ? taken.subarray(PIECE_BYTES) : undefined
    return rest ? taken.subarray(0, PIECE_BYTES) : taken
  }
}

function bodyOf(feed: Feed): ReadableStream<Uint8Array> {
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    let taken = feed.take()
    for (; taken === 'wait'; taken = feed.take()) {
      await new Promise<void>((resolve) => feed.whenMore(resolve))
    }
    if (taken !== 'end') return controller.enqueue(taken)
    feed.close()
    controller.close()
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        pull(controller).catch((error: unknown) => {
          feed.close()
          throw error
        }),
      cancel: () => feed.close(),
    },
    { highWaterMark: 0 },
  )
}
