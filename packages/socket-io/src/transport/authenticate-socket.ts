import type { IncomingHttpHeaders } from 'node:http'

import type { Socket } from 'socket.io'

import { isServiceError, toFailure } from 'dragoman/errors'
import type { Caller, ResolveCaller, RequestInfo } from 'dragoman/http'

export type SocketAuthOptions = {
  readonly resolveCaller: ResolveCaller
  /** Reports an unexpected error. */
  readonly report: (error: unknown, where: string) => void
}

/**
 * Authenticates a socket by the rules of every request.
 * @throws ServiceError `unauthorized`, `forbidden`
 */
export async function authenticateSocket(
  { handshake }: Socket,
  { resolveCaller }: SocketAuthOptions,
): Promise<Caller> {
  const { headers, url, query, address: peer, auth } = handshake
  const token: unknown = auth['token'] ?? query['token'] ?? undefined
  const authorization = token === undefined ? undefined : `Bearer ${typeof token === 'string' ? token : ''}`
  return resolveCaller(socketRequestInfo(engineRequestInfo({ headers, url }, peer), authorization))
}

/** A request that opens a socket, with the token that it brings in its own place. */
export function socketRequestInfo(request: RequestInfo, authorization: string | undefined): RequestInfo {
  const header: RequestInfo['header'] = (name) =>
    name === 'authorization' && authorization !== undefined ? authorization : request.header(name)
  // The token is read above: the rules of HTTP would refuse it in a URL.
  return {
    ...request,
    header,
    opensSocket: true,
    query: (name) => (name === 'token' ? undefined : request.query(name)),
  }
}

/** The `connect_error` of a refused socket. */
export function toConnectError(error: unknown, { report }: SocketAuthOptions): Error {
  if (!isServiceError(error) || error.code === 'internal') report(error, 'socket.io')
  const { message, code, retryAfter } = toFailure(error)
  return Object.assign(new Error(message), {
    data: { code, ...(retryAfter !== undefined && { retryAfter }) },
  })
}

type EngineRequest = {
  readonly headers: IncomingHttpHeaders
  readonly url?: string | undefined
  readonly method?: string | undefined
}

/**
 * Request info for engine.io. A page sends its token as `auth: {token}`, or in the query if its client has no `auth`,
 * as use-ai's.
 */
export function engineRequestInfo(
  { headers, url = '', method = 'GET' }: EngineRequest,
  peer: string | undefined,
): RequestInfo {
  const address = URL.parse(url, `http://${headers.host ?? ''}`) ?? new URL('http://unknown.invalid/')
  return {
    method,
    url: address.href,
    path: '/socket.io/',
    peer,
    header: (name) => headerText(headers[name]),
    headerNames: () => Object.keys(headers),
    query: (name) => address.searchParams.get(name) ?? undefined,
  }
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value
}
