import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'

import type { Json } from '../../events/index.ts'
import { withHeartbeat, createWaiter, type Feed, type Interruption } from '../fan-out/index.ts'
import type { HttpEnv } from './http-env.ts'
import { cutIfStalled, type LoadShare } from '../load/index.ts'

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  // A proxy that compresses would buffer the stream.
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  // nginx would buffer the stream.
  'x-accel-buffering': 'no',
}

const MAX_WRITE_BYTES = 64 * 1024
/** A reader that does not take the last words is cut off without them. */
const MAX_FLUSH_MS = 1000

export type Delivery = {
  readonly feed: Feed
  readonly heartbeat: string
  /** What is sent before the body is cut off, because the feed fails or the server closes. */
  readonly interruption?: Interruption | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Aborts when the answer has ended. Aborting it ends the answer. */
  readonly closing: AbortController
}

/** Responds with a feed, once all middleware has set its headers. */
export function respondWithFeed(
  c: Context<HttpEnv>,
  { feed, heartbeat, interruption, headers, closing }: Delivery,
): Response {
  const feedWithHeartbeat = withHeartbeat(feed, heartbeat)
  closing.signal.addEventListener('abort', () => feedWithHeartbeat.close(), { once: true })
  c.set('feed', { ...feedWithHeartbeat, close: () => closing.abort() })
  c.set('interruption', interruption)
  return c.body(null, 200, { ...STREAM_HEADERS, ...headers })
}

/**
 * Answers with the server-sent events that `work` sends, and with heartbeats between them. A caller who leaves, or who
 * leaves more unread than their share of bytes, aborts `signal`.
 */
export function respondWithEvents(
  c: Context<HttpEnv>,
  work: (send: (data: Json) => void, signal: AbortSignal) => Promise<void>,
): Response {
  const disconnect = new AbortController()
  const utf8 = new TextEncoder()
  const unsent: Uint8Array[] = []
  const { wait, tell } = createWaiter()
  let end: { readonly error?: unknown } | undefined
  // An agent's tests may mount its routes alone.
  const hold = (c.get('load') as LoadShare | undefined)?.take('bytesUnsent', 0)
  disconnect.signal.addEventListener('abort', () => hold?.release())
  let unsentBytes = 0
  const count = (bytes: number): void => {
    unsentBytes += bytes
    hold?.resize(unsentBytes)
  }
  const send = (data: Json): void => {
    const event = utf8.encode(`data: ${JSON.stringify(data)}\n\n`)
    try {
      count(event.length)
      unsent.push(event)
    } catch (error) {
      finish({ error })
      disconnect.abort()
    }
    tell()
  }
  const finish = (outcome: { readonly error?: unknown }): void => {
    end = outcome
    tell()
  }
  work(send, disconnect.signal).then(
    () => finish({}),
    (error: unknown) => finish({ error }),
  )
  const take = (): Uint8Array | 'wait' | 'end' => {
    const next = unsent.shift()
    if (next) count(-next.length)
    if (next) return next
    if (end && 'error' in end) throw end.error
    return end ? 'end' : 'wait'
  }
  const feed = { take, whenMore: wait, close: () => undefined }
  return respondWithFeed(c, { feed, heartbeat: ': ping\n\n', headers: {}, closing: disconnect })
}

/**
 * Sends the feed that a route has set. A web stream costs about as much per chunk as all other work, so bytes go
 * directly to Node's response where there is one. A reader that takes nothing for `stallTimeoutMs` is disconnected.
 * `cut` aborts when those who wait for more must go to another process.
 */
export function deliverFeeds(
  stallTimeoutMs: number,
  cut: AbortSignal = new AbortController().signal,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next()
    const feed = c.get('feed')
    if (!feed) return
    // A response to HEAD has no body: Hono makes its own response from it.
    if (c.error || c.req.raw.method === 'HEAD') return feed.close()
    const outgoing = (c.env as HttpEnv['Bindings'] | undefined)?.outgoing
    const { status, headers } = c.res
    // Hono would merge the headers of both responses.
    c.res = undefined
    if (!outgoing) {
      c.res = new Response(toReadableStream(feed, c.get('interruption')), { status, headers })
      return
    }
    outgoing.writeHead(status, Object.fromEntries(headers))
    outgoing.flushHeaders()
    pump(feed, outgoing, { stallTimeoutMs, cut, interruption: c.get('interruption') })
    c.res = RESPONSE_ALREADY_SENT
  }
}

type Outgoing = NonNullable<HttpEnv['Bindings']['outgoing']>

type Pumping = {
  readonly stallTimeoutMs: number
  readonly cut: AbortSignal
  readonly interruption: Interruption | undefined
}

/**
 * Takes bytes only when the socket accepts them. If the feed fails, the reader is told that the answer has not ended.
 */
function pump(feed: Feed, outgoing: Outgoing, { stallTimeoutMs, cut, interruption }: Pumping): void {
  // 'close' is not emitted again for a client that has disconnected.
  if (outgoing.destroyed) return feed.close()
  let stopWatching: (() => void) | undefined
  let rest: Uint8Array | undefined
  let isIdle = false
  const writeAvailable = (): void => {
    stopWatching?.()
    isIdle = false
    try {
      while (!outgoing.destroyed) {
        const chunk = rest ?? feed.take()
        if (chunk === 'wait' && cut.aborted) return interrupt(outgoing, interruption)
        if (chunk === 'wait') {
          isIdle = true
          return feed.whenMore(writeAvailable)
        }
        if (chunk === 'end') {
          stopWatching = cutIfStalled(outgoing, stallTimeoutMs)
          return void outgoing.end(stopWatching)
        }
        // In pieces, so that a slow reader of a large entry is seen to make progress.
        rest = chunk.length > MAX_WRITE_BYTES ? chunk.subarray(MAX_WRITE_BYTES) : undefined
        if (!outgoing.write(rest ? chunk.subarray(0, MAX_WRITE_BYTES) : chunk)) {
          stopWatching = cutIfStalled(outgoing, stallTimeoutMs)
          return void outgoing.once('drain', writeAvailable)
        }
      }
    } catch {
      interrupt(outgoing, interruption)
    }
  }
  const onCut = (): void => {
    if (isIdle) writeAvailable()
  }
  cut.addEventListener('abort', onCut)
  outgoing.once('close', () => {
    cut.removeEventListener('abort', onCut)
    stopWatching?.()
    feed.close()
  })
  writeAvailable()
}

/**
 * Says that the body stops before its answer has ended. Where a client could take that for the end, it is broken off:
 * but a proxy may end it in order all the same.
 */
function interrupt(outgoing: Outgoing, words: Interruption | undefined): void {
  const breakOff = (): void => void outgoing.destroy()
  if (!words) return breakOff()
  const timer = setTimeout(breakOff, MAX_FLUSH_MS)
  outgoing.once('close', () => clearTimeout(timer))
  // On a connection that stays open, the client would come back to the server that it has to leave.
  const { socket } = outgoing
  if (words.isClear) return void outgoing.end(words.text, () => socket?.destroySoon())
  outgoing.write(words.text, breakOff)
}

function toReadableStream(feed: Feed, interruption: Interruption | undefined): ReadableStream<Uint8Array> {
  let failure: { readonly error: unknown } | undefined
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    if (failure) throw failure.error
    let chunk = feed.take()
    for (; chunk === 'wait'; chunk = feed.take()) {
      await new Promise<void>((resolve) => feed.whenMore(resolve))
    }
    if (chunk !== 'end') return controller.enqueue(chunk)
    feed.close()
    controller.close()
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        pull(controller).catch((error: unknown) => {
          feed.close()
          if (failure || interruption === undefined) throw error
          controller.enqueue(new TextEncoder().encode(interruption.text))
          if (interruption.isClear) controller.close()
          else failure = { error }
        }),
      cancel: () => feed.close(),
    },
    { highWaterMark: 0 },
  )
}
