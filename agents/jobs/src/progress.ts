import type { Context } from 'hono'

import { isServiceError, toFailure } from 'dragoman/errors'
import type { Json } from 'dragoman/events'

type Frame = Readonly<Record<string, Json>>

/** A proxy closes what says nothing. In ms. */
const HEARTBEAT_MS = 15_000

/**
 * Answers with server-sent events that tell how long work goes, the last one being what came of it, or
 * `{type: "error", status: "error", message, code}` with the error's details. A caller who leaves stops the work: what is done by then stays done.
 */
export function progressStream(
  c: Context,
  report: (error: unknown) => void,
  work: (tell: (frame: Frame) => void, signal: AbortSignal) => Promise<Frame>,
): Response {
  const control = new AbortController()
  const encoder = new TextEncoder()
  let heartbeat: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      const write = (text: string): void => {
        if (!control.signal.aborted) stream.enqueue(encoder.encode(text))
      }
      const tell = (frame: Frame): void => write(`data: ${JSON.stringify(frame)}\n\n`)
      heartbeat = setInterval(() => write(': ping\n\n'), HEARTBEAT_MS)
      try {
        tell(await work(tell, control.signal))
      } catch (error) {
        const { message, code } = toFailure(error)
        const details = isServiceError(error) ? error.details : {}
        tell({ ...details, type: 'error', status: 'error', message, code })
        if (code === 'internal' && !control.signal.aborted) report(error)
      } finally {
        clearInterval(heartbeat)
        if (!control.signal.aborted) stream.close()
      }
    },
    cancel(reason) {
      clearInterval(heartbeat)
      control.abort(reason)
    },
  })
  return c.body(body, 200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  })
}
