import type { IncomingMessage } from 'node:http'

import { nanoid } from 'nanoid'
import type { Server, Socket } from 'socket.io'

import { ServiceError } from 'dragoman/errors'

type EngineSocket = Socket['conn']

/** Bytes that a connection may send before authentication: a token and an offset are much smaller. */
const MAX_BYTES_BEFORE_AUTH = 64 * 1024
/** Unauthenticated connections of all addresses. */
const MAX_UNAUTHENTICATED = 1000
/** A connection that does not authenticate is closed after this time. */
const AUTH_TIMEOUT_MS = 10_000
const RETRY_AFTER_S = 5

/** Limits connections before authentication, so that strangers cannot fill the memory. */
export interface UnauthenticatedSockets {
  /**
   * Reserves a slot for a new connection. It is released if `source` closes first.
   * @throws ServiceError `overloaded`
   */
  reserve(incoming: IncomingMessage, address: string, source: NodeJS.EventEmitter): void
  /**
   * Counts the bytes of a request that has been passed on, and closes it if it sends too much before authentication.
   */
  limitBytes(incoming: IncomingMessage, source: NodeJS.EventEmitter, cut: () => void): void
  markAuthenticated(socket: Socket): void
}

/** `maxPerAddress`: unauthenticated connections of one address. */
export function trackUnauthenticatedSockets(
  engine: Server['engine'],
  maxPerAddress: number,
): UnauthenticatedSockets {
  const socketIds = new WeakMap<IncomingMessage, string>()
  const authenticated = new Set<string>()
  const slots = createSlots(maxPerAddress)
  /** Releases the slot of a connection, by the request that opened it. */
  const releases = new WeakMap<IncomingMessage, () => void>()
  engine.generateId = (incoming: IncomingMessage): string => {
    const socketId = nanoid()
    socketIds.set(incoming, socketId)
    return socketId
  }
  engine.on('connection', (conn: EngineSocket) => {
    const release = releases.get(conn.request)
    // Otherwise a polling connection would stay open for another half a minute.
    const limit = setTimeout(() => conn.close(true), AUTH_TIMEOUT_MS)
    releases.set(conn.request, () => {
      clearTimeout(limit)
      release?.()
    })
    conn.once('close', () => releases.get(conn.request)?.())
  })
  return {
    reserve(incoming, address, source) {
      const release = slots.take(address)
      releases.set(incoming, release)
      source.once('close', () => {
        // No connection was opened.
        if (releases.get(incoming) === release) release()
      })
    },
    limitBytes(incoming, source, cut) {
      const [, sid] = /[?&]sid=([^&]*)/.exec(incoming.url ?? '') ?? []
      let bytes = 0
      const count = ({ length }: { readonly length: number }): void => {
        if (authenticated.has(sid ?? socketIds.get(incoming) ?? '')) return void source.off('data', count)
        bytes += length
        return bytes > MAX_BYTES_BEFORE_AUTH ? cut() : undefined
      }
      source.on('data', count)
    },
    markAuthenticated({ client, conn }) {
      const socketId = socketIds.get(client.request) ?? ''
      authenticated.add(socketId)
      releases.get(client.request)?.()
      conn.once('close', () => authenticated.delete(socketId))
    },
  }
}

/** Counts unauthenticated connections, in total and by address. */
function createSlots(maxPerAddress: number): { take(address: string): () => void } {
  const countByAddress = new Map<string, number>()
  let all = 0
  return {
    take(address) {
      const ofAddress = countByAddress.get(address) ?? 0
      if (ofAddress >= maxPerAddress)
        throw tooMany('Too many connections of your address have not joined yet.')
      if (all >= MAX_UNAUTHENTICATED) throw tooMany('Too many connections have not joined yet.')
      countByAddress.set(address, ofAddress + 1)
      all += 1
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        all -= 1
        const remaining = (countByAddress.get(address) ?? 1) - 1
        if (remaining > 0) countByAddress.set(address, remaining)
        else countByAddress.delete(address)
      }
    },
  }
}

function tooMany(sentence: string): ServiceError {
  return new ServiceError('overloaded', sentence, { retryAfter: RETRY_AFTER_S })
}
