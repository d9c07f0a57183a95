import type { IncomingMessage } from 'node:http'

import { nanoid } from 'nanoid'
import type { Server, Socket } from 'socket.io'

import { ServiceError } from 'dragoman/errors'

type EngineSocket = Socket['conn']

/** Bytes that may come over a line before it has joined: a token and an offset are much less. */
const MAX_BYTES_BEFORE_AUTH = 64 * 1024
/** Lines of all addresses that have not joined yet. */
const MAX_UNAUTHENTICATED = 1000
/** Whoever does not say what they want to join is let go after so many ms. */
const AUTH_TIMEOUT_MS = 10_000
/** Seconds after which one who was refused may try again. */
const RETRY_AFTER_S = 5

/** Lines that nobody has been let in by yet: strangers may not fill our memory. */
export interface UnauthenticatedSockets {
  /**
   * Takes a place for a line that a request begins; it is given back when `from` closes first. @throws ServiceError
   * `overloaded`
   */
  reserve(incoming: IncomingMessage, address: string, source: NodeJS.EventEmitter): void
  /** Listens to what comes with a request that has just been passed on: whoever says too much before they have joined is cut. */
  limitBytes(incoming: IncomingMessage, source: NodeJS.EventEmitter, cut: () => void): void
  markAuthenticated(socket: Socket): void
}

/** `mostOfAddress`: lines of one address that have not joined yet. */
export function trackUnauthenticatedSockets(
  engine: Server['engine'],
  maxPerAddress: number,
): UnauthenticatedSockets {
  const socketIds = new WeakMap<IncomingMessage, string>()
  const authenticated = new Set<string>()
  const slots = createSlots(maxPerAddress)
  /** Gives back the place of a line, by the request that has begun it. */
  const releases = new WeakMap<IncomingMessage, () => void>()
  engine.generateId = (incoming: IncomingMessage): string => {
    const socketId = nanoid()
    socketIds.set(incoming, socketId)
    return socketId
  }
  engine.on('connection', (conn: EngineSocket) => {
    const release = releases.get(conn.request)
    // A line that polls would else stand for another half a minute, until its last answer is fetched.
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
        // Nothing has come of it.
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

/** How many of each address are new. */
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
