/** So that a proxy does not take the line for dead. */
const HEARTBEAT_MS = 15_000

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  // nginx and its like hold a stream back until they have a buffer full.
  'x-accel-buffering': 'no',
}

const BEAT = Symbol('heartbeat')

export type SseOptions = {
  readonly heartbeat: string
  readonly headers: Readonly<Record<string, string>>
  /** Aborted when the reader goes, and when there is nothing more to read. */
  readonly gone: AbortController
  /** What the reader is written to, where there is a network. */
  readonly socket: { destroy(): unknown } | undefined
}
const utf8 = new TextEncoder()

/**
 * Answers with a stream of events, or (as the headers say) of lines: of bytes that are pulled as the socket takes them: nothing is kept for a reader that stalls
 * (`highWaterMark: 0`). When the reader goes, `gone` aborts; when the source breaks, the socket is destroyed, for a clean end would
 * read as success.
 */
export function sse(
  source: AsyncGenerator<Uint8Array, void>,
  { heartbeat, headers, gone, socket }: SseOptions,
): Response {
  const beat = utf8.encode(heartbeat)
  let next: Promise<IteratorResult<Uint8Array, void>> | undefined

  const broken = (error: unknown): undefined => {
    gone.abort()
    if (!socket) throw error
    // The adapter would end the body with the error's words first.
    socket.destroy()
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= source.next()
        const result = await within(next, HEARTBEAT_MS).catch(broken)
        if (result === undefined) return undefined
        if (result === BEAT) return controller.enqueue(beat)
        next = undefined
        if (!result.done) return controller.enqueue(result.value)
        gone.abort()
        return controller.close()
      },
      async cancel() {
        gone.abort()
        await source.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { ...HEADERS, ...headers } })
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | typeof BEAT> {
  const silence = Promise.withResolvers<typeof BEAT>()
  const timer = setTimeout(() => silence.resolve(BEAT), ms)
  try {
    return await Promise.race([promise, silence.promise])
  } finally {
    clearTimeout(timer)
  }
}
