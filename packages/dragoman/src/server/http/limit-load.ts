import type { RequestLoad } from './request-load.ts'
import type { ServerResponse } from 'node:http'

import type { MiddlewareHandler } from 'hono'

import { ServiceError } from '../../errors.ts'
import type { HttpEnv } from './http-env.ts'
import { onRequestEnd } from './limit-pipelining.ts'

type Outgoing = Pick<ServerResponse, 'writableLength' | 'socket' | 'once'>

export type LoadLimits = {
  /** Requests of one user in progress at once. */
  readonly requestsPerUser: number
  /** Requests of all users in progress at once. */
  readonly requests: number
  /** Bytes of bodies and responses in memory at once. */
  readonly bytesInFlight: number
}

/** Counts the resources of all requests in progress. */
export interface Load {
  /**
   * Bytes that are written to `outgoing` but not sent count too. `ended` is called when the request no longer counts.
   * @throws ServiceError `overloaded`
   */
  begin(outgoing: Outgoing | undefined, ended?: () => void): RequestLoad
}

/** One user may hold at most this share of the bytes. */
const MAX_USER_SHARE = 1 / 4
/** A body of the largest allowed size always has room. */
const MIN_SHARE_BYTES = 48 * 1024 * 1024
const RETRY_AFTER_S = 1
/** A response that has begun waits this long for room, then fails. */
const ROOM_TIMEOUT_MS = 30_000
const FULL_MESSAGE = 'The requests in progress hold as many bytes as they may.'

type ActiveRequest = {
  readonly outgoing: Outgoing | undefined
  readonly over: PromiseWithResolvers<void>
  userId: string | undefined
  bytes: number
}

export function createLoad({ requests, requestsPerUser, bytesInFlight }: LoadLimits): Load {
  const share = Math.max(bytesInFlight * MAX_USER_SHARE, MIN_SHARE_BYTES)
  const active = new Set<ActiveRequest>()
  const waiting = new Map<ActiveRequest, () => void>()
  const requestsOf = (userId: string | undefined): ActiveRequest[] =>
    [...active].filter((each) => each.userId === userId)
  const isFull = (): boolean => bytesUsed([...active]) >= bytesInFlight
  const hasRoomFor = (request: ActiveRequest): boolean =>
    !isFull() && (request.userId === undefined || bytesUsed(requestsOf(request.userId)) < share)
  const wake = (): void => {
    for (const [request, tell] of waiting) {
      if (active.has(request) && !hasRoomFor(request)) continue
      waiting.delete(request)
      tell()
      return
    }
  }
  return {
    begin(outgoing, ended) {
      if (active.size >= requests) throw overloaded(`${requests} requests are in progress already.`)
      if (isFull()) throw overloaded(FULL_MESSAGE)
      const request: ActiveRequest = { outgoing, over: Promise.withResolvers(), userId: undefined, bytes: 0 }
      active.add(request)
      return {
        assignUser(userId) {
          if (requestsOf(userId).length >= requestsPerUser)
            throw overloaded(`${requestsPerUser} of your requests are in progress already.`)
          request.userId = userId
        },
        requireRoom() {
          if (!hasRoomFor(request)) throw overloaded(FULL_MESSAGE)
        },
        addBytes(bytes) {
          request.bytes += bytes
        },
        removeBytes(bytes) {
          request.bytes -= bytes
          wake()
        },
        async waitForRoom() {
          await waitForTurn(request)
          const limit = Date.now() + ROOM_TIMEOUT_MS
          while (active.has(request) && !hasRoomFor(request)) {
            await waitForRoom(waiting, request, limit - Date.now())
            if (Date.now() >= limit) throw overloaded(FULL_MESSAGE)
          }
          return outgoing === undefined || active.has(request)
        },
        end() {
          if (!active.delete(request)) return
          ended?.()
          request.over.resolve()
          waiting.get(request)?.()
          waiting.delete(request)
          wake()
        },
      }
    },
  }
}

function bytesUsed(requests: readonly ActiveRequest[]): number {
  return requests.reduce((sum, { bytes, outgoing }) => sum + bytes + (outgoing?.writableLength ?? 0), 0)
}

/** A queued response would hold the room that earlier ones on its connection need. */
async function waitForTurn({ outgoing, over }: ActiveRequest): Promise<void> {
  if (!outgoing || outgoing.socket) return
  await Promise.race([new Promise((resolve) => outgoing.once('socket', resolve)), over.promise])
}

/** Resolves when there is room, when the request is over, or after `ms`. */
async function waitForRoom(
  waiting: Map<ActiveRequest, () => void>,
  request: ActiveRequest,
  ms: number,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.set(request, resolve)
  const timer = setTimeout(resolve, ms)
  await promise
  clearTimeout(timer)
  waiting.delete(request)
}

function overloaded(sentence: string): ServiceError {
  return new ServiceError('overloaded', sentence, { retryAfter: RETRY_AFTER_S })
}

/**
 * Counts each request until its response has been sent. A connection that takes nothing for `stallTimeoutMs` is
 * closed.
 */
export function limitLoad(load: Load, stallTimeoutMs: number): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env ?? {}
    // Monitoring must not take a busy server for a dead one.
    if (c.req.path === '/health') return next()
    // An idle reader must hold no memory here.
    let stopListening = (): unknown => undefined
    const progress = load.begin(outgoing, () => stopListening())
    c.set('progress', progress)
    if (!incoming || !outgoing) return next().finally(progress.end)
    stopListening = onRequestEnd(outgoing, progress.end)
    await next()
    // `deliverFeeds` watches feeds.
    if (!c.get('feed') && !incoming.socket.destroyed) destroyIfStalled(outgoing, stallTimeoutMs)
    return undefined
  }
}

/** Closes the connection of a response of which nothing was taken for the timeout. */
function destroyIfStalled(outgoing: ServerResponse, stallTimeoutMs: number): void {
  const { socket } = outgoing.req
  let lastBytes = socket.bytesWritten
  const timer = setTimeout(() => {
    // A response that is queued behind others cannot be taken yet.
    if (outgoing.socket && socket.bytesWritten === lastBytes) return void socket.destroy()
    lastBytes = socket.bytesWritten
    return void timer.refresh()
  }, stallTimeoutMs)
  onRequestEnd(outgoing, () => clearTimeout(timer))
}
