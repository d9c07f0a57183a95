import type { Context } from 'hono'

import type { HttpEnv } from '../http/index.ts'

/** Registers the caller as a reader until the controller aborts. @throws ServiceError `rate-limited` */
export function registerReader(c: Context<HttpEnv>): AbortController {
  const closing = new AbortController()
  const socket = findSocket(c)
  // Without a socket, the request's own signal reports a disconnect.
  if (!socket) c.req.raw.signal.addEventListener('abort', () => closing.abort(), { once: true })
  const disconnect = (): void => (socket ? void socket.destroy() : closing.abort())
  const hold = c.get('load').take('readers', 1, disconnect)
  if (closing.signal.aborted) hold.release()
  else closing.signal.addEventListener('abort', hold.release)
  c.get('progress')?.end()
  return closing
}

/** None if the server is called without a network. */
function findSocket(c: Context<HttpEnv>): { destroy(): unknown } | undefined {
  return (c.env as HttpEnv['Bindings'] | undefined)?.outgoing
}
