import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** What is known of a request before authentication, for any transport. */
export type RequestInfo = {
  readonly method: string
  /** The full URL, with the host of the request line. */
  readonly url: string
  readonly path: string
  /** The remote address of the connection, if there is one. */
  readonly peer: string | undefined
  readonly header: (name: string) => string | undefined
  readonly headerNames: () => readonly string[]
  readonly query: (name: string) => string | undefined
  /** Whether the request opens a connection on which messages can act. */
  readonly opensSocket?: boolean
}

/** Whether a request has a token in its headers, valid or not. */
export function hasToken({ header }: Pick<RequestInfo, 'header'>): boolean {
  return /^bearer(?: |$)/i.test(header('authorization') ?? '') || header('x-eve-token') !== undefined
}

type RequestBindings = Partial<HttpBindings> & {
  readonly socketCaller?: { readonly peer: string | undefined }
}

export function requestInfo({ req, env }: Context): RequestInfo {
  const { incoming, socketCaller } = (env ?? {}) as RequestBindings
  return {
    method: req.raw.method,
    url: req.url,
    path: req.path,
    peer: incoming ? incoming.socket.remoteAddress : socketCaller?.peer,
    header: (name) => req.header(name),
    headerNames: () => [...req.raw.headers.keys()],
    query: (name) => req.query(name),
  }
}
