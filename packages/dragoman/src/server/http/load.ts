import type { Progress } from './progress.ts'
import type { ServerResponse } from 'node:http'

import type { MiddlewareHandler } from 'hono'

import { ServiceError } from '../../errors.ts'
import type { HttpEnv } from './env.ts'
import { whenOver } from './per-connection.ts'

type Outgoing = Pick<ServerResponse, 'writableLength' | 'socket' | 'once'>

export type LoadLimits = {
  /** Requests of one user that may be in progress at once. */
  readonly requestsPerUser: number
  /** Requests of all users. */
  readonly requests: number
  /** Bytes of bodies and answers that may be in memory at once. */
  readonly bytesInFlight: number
}

/** What all requests in progress use. */
export interface Load {
  /**
   * `outgoing`: what has been written to it and not been sent counts too. `ended` is called when it no longer counts.
   * @throws ServiceError `overloaded`
   */
  begin(outgoing: Outgoing | undefined, ended?: () => void): Progress
}

/** Of one user's bytes this part at most: nobody may hold the room of all. */
const SHARE = 1 / 4
/** A body of the largest size that any route takes always has room next to another. */
const MIN_SHARE_BYTES = 48 * 1024 * 1024
/** Seconds after which one who was refused may try again. */
const RETRY_S = 1
/** An answer that has begun waits so long for room, in ms; then it is broken off. */
const ROOM_TIMEOUT_MS = 30_000
const FULL = 'The requests in progress hold as many bytes as they may.'

type Request = {
  readonly outgoing: Outgoing | undefined
  readonly over: PromiseWithResolvers<void>
  userId: string | undefined
  bytes: number
}

export function loadOf({ requests, requestsPerUser, bytesInFlight }: LoadLimits): Load {
  const share = Math.max(bytesInFlight * SHARE, MIN_SHARE_BYTES)
  const active = new Set<Request>()
  const waiting = new Map<Request, () => void>()
  const ofUser = (userId: string | undefined): Request[] =>
    [...active].filter((each) => each.userId === userId)
  const isFull = (): boolean => usedBy([...active]) >= bytesInFlight
  const hasRoomFor = (request: Request): boolean =>
    !isFull() && (request.userId === undefined || usedBy(ofUser(request.userId)) < share)
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
      if (isFull()) throw overloaded(FULL)
      const request: Request = { outgoing, over: Promise.withResolvers(), userId: undefined, bytes: 0 }
      active.add(request)
      return {
        belongsTo(userId) {
          if (ofUser(userId).length >= requestsPerUser)
            throw overloaded(`${requestsPerUser} of your requests are in progress already.`)
          request.userId = userId
        },
        needRoom() {
          if (!hasRoomFor(request)) throw overloaded(FULL)
        },
        take(bytes) {
          request.bytes += bytes
        },
        give(bytes) {
          request.bytes -= bytes
          wake()
        },
        async hasRoom() {
          await turnOf(request)
          const limit = Date.now() + ROOM_TIMEOUT_MS
          while (active.has(request) && !hasRoomFor(request)) {
            await woken(waiting, request, limit - Date.now())
            if (Date.now() >= limit) throw overloaded(FULL)
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

function usedBy(requests: readonly Request[]): number {
  return requests.reduce((sum, { bytes, outgoing }) => sum + bytes + (outgoing?.writableLength ?? 0), 0)
}

/** One that stands in line on its connection would hold the room that those before it need. */
async function turnOf({ outgoing, over }: Request): Promise<void> {
  if (!outgoing || outgoing.socket) return
  await Promise.race([new Promise((resolve) => outgoing.once('socket', resolve)), over.promise])
}

/** Resolves when it is told that there is room, or that it is over; at most after so many ms. */
async function woken(waiting: Map<Request, () => void>, request: Request, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.set(request, resolve)
  const timer = setTimeout(resolve, ms)
  await promise
  clearTimeout(timer)
  waiting.delete(request)
}

function overloaded(sentence: string): ServiceError {
  return new ServiceError('overloaded', sentence, { retryAfter: RETRY_S })
}

/**
 * Counts each request from its begin until its answer has been sent. `stalledMs`: after so long in which nothing of
 * an answer was taken its
 * connection is cut.
 */
export function counted(load: Load, stalledMs: number): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env ?? {}
    // Those who watch over a server must not take a busy one for a dead one.
    if (c.req.path === '/health') return next()
    // A reader that only waits must hold nothing of this.
    let forget = (): unknown => undefined
    const progress = load.begin(outgoing, () => forget())
    c.set('progress', progress)
    if (!incoming || !outgoing) return next().finally(progress.end)
    forget = whenOver(outgoing, progress.end)
    await next()
    // A feed is watched by who sends it.
    if (!c.get('feed') && !incoming.socket.destroyed) cutIfStalled(outgoing, stalledMs)
    return undefined
  }
}

/** Cuts the connection of an answer of which nothing was taken for so long. */
function cutIfStalled(outgoing: ServerResponse, stalledMs: number): void {
  const { socket } = outgoing.req
  let written = socket.bytesWritten
  const timer = setTimeout(() => {
    // One that stands behind other answers of its connection cannot be taken yet.
    if (outgoing.socket && socket.bytesWritten === written) return void socket.destroy()
    written = socket.bytesWritten
    return void timer.refresh()
  }, stalledMs)
  whenOver(outgoing, () => clearTimeout(timer))
}
