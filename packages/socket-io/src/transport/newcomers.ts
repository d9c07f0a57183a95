import type { IncomingMessage } from 'node:http'

import { nanoid } from 'nanoid'
import type { Server, Socket } from 'socket.io'

import { ServiceError } from 'dragoman/errors'

type Connection = Socket['conn']

/** Bytes that may come over a line before it has joined: a token and an offset are much less. */
const MOST_BEFORE = 64 * 1024
/** Lines of all addresses that have not joined yet. */
const MAX_NEWCOMERS = 1000
/** Whoever does not say what they want to join is let go after so many ms. */
const JOINING_TIMEOUT_MS = 10_000
/** Seconds after which one who was refused may try again. */
const RETRY_S = 5

/** Lines that nobody has been let in by yet: strangers may not fill our memory. */
export interface Newcomers {
  /**
   * Takes a place for a line that a request begins; it is given back when `from` closes first. @throws ServiceError
   * `overloaded`
   */
  arrive(incoming: IncomingMessage, address: string, from: NodeJS.EventEmitter): void
  /** Listens to what comes with a request that has just been passed on: whoever says too much before they have joined is cut. */
  listen(incoming: IncomingMessage, from: NodeJS.EventEmitter, cut: () => void): void
  joined(socket: Socket): void
}

/** `mostOfAddress`: lines of one address that have not joined yet. */
export function newcomers(engine: Server['engine'], mostOfAddress: number): Newcomers {
  const named = new WeakMap<IncomingMessage, string>()
  const inside = new Set<string>()
  const places = placesOf(mostOfAddress)
  /** Gives back the place of a line, by the request that has begun it. */
  const leaving = new WeakMap<IncomingMessage, () => void>()
  engine.generateId = (incoming: IncomingMessage): string => {
    const line = nanoid()
    named.set(incoming, line)
    return line
  }
  engine.on('connection', (conn: Connection) => {
    const leave = leaving.get(conn.request)
    // A line that polls would else stand for another half a minute, until its last answer is fetched.
    const limit = setTimeout(() => conn.close(true), JOINING_TIMEOUT_MS)
    leaving.set(conn.request, () => {
      clearTimeout(limit)
      leave?.()
    })
    conn.once('close', () => leaving.get(conn.request)?.())
  })
  return {
    arrive(incoming, address, from) {
      const leave = places.take(address)
      leaving.set(incoming, leave)
      from.once('close', () => {
        // Nothing has come of it.
        if (leaving.get(incoming) === leave) leave()
      })
    },
    listen(incoming, from, cut) {
      const [, said] = /[?&]sid=([^&]*)/.exec(incoming.url ?? '') ?? []
      let bytes = 0
      const count = ({ length }: { readonly length: number }): void => {
        if (inside.has(said ?? named.get(incoming) ?? '')) return void from.off('data', count)
        bytes += length
        return bytes > MOST_BEFORE ? cut() : undefined
      }
      from.on('data', count)
    },
    joined({ client, conn }) {
      const line = named.get(client.request) ?? ''
      inside.add(line)
      leaving.get(client.request)?.()
      conn.once('close', () => inside.delete(line))
    },
  }
}

/** How many of each address are new. */
function placesOf(mostOfAddress: number): { take(address: string): () => void } {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(address) {
      const ofAddress = taken.get(address) ?? 0
      if (ofAddress >= mostOfAddress)
        throw tooMany('Too many connections of your address have not joined yet.')
      if (all >= MAX_NEWCOMERS) throw tooMany('Too many connections have not joined yet.')
      taken.set(address, ofAddress + 1)
      all += 1
      let isGone = false
      return () => {
        if (isGone) return
        isGone = true
        all -= 1
        const left = (taken.get(address) ?? 1) - 1
        if (left > 0) taken.set(address, left)
        else taken.delete(address)
      }
    },
  }
}

function tooMany(sentence: string): ServiceError {
  return new ServiceError('overloaded', sentence, { retryAfter: RETRY_S })
}
