import type { Context } from 'hono'

import { isServiceError, toFailure } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { deliverEvents, type HttpEnv } from 'dragoman/http'

type Frame = Readonly<Record<string, Json>>

/**
 * Answers with server-sent events that report the progress of work, the last one being its result, or
 * `{type: "error", status: "error", message, code}` with the error's details. A caller who leaves stops the work:
 * what is done by then stays done.
 */
export function progressStream(
  c: Context,
  report: (error: unknown) => void,
  work: (tell: (frame: Frame) => void, signal: AbortSignal) => Promise<Frame>,
): Response {
  return deliverEvents(c as Context<HttpEnv>, async (send, signal) => {
    try {
      send(await work(send, signal))
    } catch (error) {
      const { message, code } = toFailure(error)
      const details = isServiceError(error) ? error.details : {}
      send({ ...details, type: 'error', status: 'error', message, code })
      if (code === 'internal' && !signal.aborted) report(error)
    }
  })
}
