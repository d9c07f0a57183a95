import type { Socket } from 'socket.io'

import { isServiceError, toFailure } from '../../errors.ts'
import type { Audience } from '../audience.ts'
import type { Caller, CallerOf, Comer } from '../http/admission.ts'
import { knownOrigins } from '../http/pages.ts'

export type SocketDoor = {
  readonly callerOf: CallerOf
  /** Origins besides our own whose pages may speak to us. */
  readonly origins: readonly string[]
  readonly audience: Audience
  /** Told of what nobody foresaw. */
  readonly report: (error: unknown, where: string) => void
}

/** Whom a socket is let in as: the rules are those of every request. @throws ServiceError `unauthorized`, `forbidden`, `rate-limited` */
export async function admitted(socket: Socket, { callerOf, origins, audience }: SocketDoor): Promise<Caller> {
  const comer = comerOf(socket)
  knownOrigins(origins)(comer)
  const caller = await callerOf(comer)
  audience.check(caller.userId)
  return caller
}

/** What one who is not let in is told, as their `connect_error`. */
export function refusal(error: unknown, { report }: SocketDoor): Error {
  if (!isServiceError(error) || error.code === 'internal') report(error, 'socket.io')
  const { message, code, retryAfter } = toFailure(error)
  return Object.assign(new Error(message), {
    data: { code, ...(retryAfter !== undefined && { retryAfter }) },
  })
}

/** A handshake as a request. Pages can give a token only in what they say once the line stands: `auth: {token}`. */
function comerOf({ handshake }: Socket): Comer {
  const { headers, url, query, auth } = handshake
  const token: unknown = auth['token'] ?? undefined
  const own = token === undefined ? undefined : `Bearer ${typeof token === 'string' ? token : ''}`
  const address = `http://${headers.host ?? ''}${url}`
  return {
    method: 'GET',
    url: URL.canParse(address) ? address : 'http://unknown.invalid/',
    path: '/socket.io/',
    peer: handshake.address,
    header: (name) => (name === 'authorization' && own !== undefined ? own : textOf(headers[name])),
    query: (name) => textOf(query[name]),
  }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value
}
