import type { Duplex } from 'node:stream'

import {
  connectionStates,
  type ConnectionState,
  type OpenRequest,
  type Outgoing,
} from './connection-state.ts'
import type { LoadShare } from './load-account.ts'
import { endWaiting, restoreStacks } from './waiting-requests.ts'

/** Whether a response is partly written. */
export function isResponding(socket: Duplex): boolean {
  return connectionStates.get(socket)?.requests.some(({ outgoing }) => outgoing.headersSent) ?? false
}

/** Counts a connection until it closes. Its address pays until a request names a user. */
export function countConnection(socket: Duplex, share: LoadShare): void {
  const state = stateOf(socket)
  state.share = share
  try {
    state.hold = share.take('connections', 1, endOf(share, socket))
  } catch {
    socket.destroy()
  }
}

/** A connection that changes to another protocol counts there. */
export function releaseConnection(socket: Duplex): void {
  connectionStates.get(socket)?.hold?.release()
}

/**
 * Makes another party pay for a connection. Once a user has paid, no address does. @throws ServiceError if its share is
 * used up
 */
export function assignConnection(socket: Duplex, share: LoadShare): void {
  const state = connectionStates.get(socket)
  if (!state?.hold || (state.share && isSettled(state.share, share))) return
  state.hold.move(share)
  state.waiting?.hold.move(share)
  state.share = share
  // A user's connection has more requests at a time.
  continueWaiting(state, socket)
}

/**
 * Calls `tell` once when a request is over: its response has ended or its connection has closed.
 */
export function onRequestEnd(outgoing: Outgoing, tell: () => void): void {
  if (outgoing.req.socket.destroyed) return tell()
  findRequest(outgoing).onEnd = tell
}

/** Makes a party pay for what the client has not taken of an answer. */
export function assignAnswer(outgoing: Outgoing, payer: LoadShare): void {
  if (!outgoing.req.socket.destroyed) findRequest(outgoing).payer = payer
}

/** Counts what the client has not taken of an answer, which is in memory whether there is room for it or not. */
export function countUnsent(outgoing: Outgoing): void {
  const { socket } = outgoing.req
  const request = connectionStates.get(socket)?.requests.find((each) => each.outgoing === outgoing)
  if (!request?.payer) return
  if (!request.unsent) {
    request.unsent = request.payer.take('bytesUnsent', 0, endOf(request.payer, socket))
    outgoing.on('drain', countTaken)
  }
  request.unsent.record(outgoing.writableLength)
}

/** Who pays for what the client has not taken of an answer. */
export function payerOf(outgoing: Outgoing): LoadShare | undefined {
  return connectionStates.get(outgoing.req.socket)?.requests.find((each) => each.outgoing === outgoing)?.payer
}

/** Counts bytes for who pays for a connection. Returns for how many ms no more of it should be read. */
export function paceConnection(socket: Duplex, bytes: number): number {
  return connectionStates.get(socket)?.share?.pace(bytes) ?? 0
}

/** Only callers without a user make room for others. */
export function endOf({ party }: LoadShare, socket: Duplex): (() => void) | undefined {
  return 'address' in party ? (stateOf(socket).end ??= () => socket.destroy()) : undefined
}

function countTaken(this: Outgoing): void {
  countUnsent(this)
}

function findRequest(outgoing: Outgoing): OpenRequest {
  const state = stateOf(outgoing.req.socket)
  return state.requests.find((each) => each.outgoing === outgoing) ?? open(state, outgoing)
}

export function stateOf(socket: Duplex): ConnectionState {
  const existing = connectionStates.get(socket)
  if (existing) return existing
  const state: ConnectionState = { requests: [] }
  connectionStates.set(socket, state)
  socket.on('close', closeConnection)
  return state
}

export function open(state: ConnectionState, outgoing: Outgoing): OpenRequest {
  const request: OpenRequest = { outgoing }
  state.requests = state.requests.concat(request)
  outgoing.on('close', finishThis)
  return request
}

function finishThis(this: Outgoing): void {
  finish(this)
}

export function finish(outgoing: Outgoing): void {
  const { socket } = outgoing.req
  const state = connectionStates.get(socket)
  const request = state?.requests.find((each) => each.outgoing === outgoing)
  if (!state || !request) return
  state.requests = state.requests.filter((each) => each !== request)
  request.onEnd?.()
  request.unsent?.release()
  continueWaiting(state, socket)
}

/** One in each turn of the event loop: a thousand that are refused at once would stand it. */
function continueWaiting(state: ConnectionState, socket: Duplex): void {
  if (state.waiting) setImmediate(() => state.startNext?.(state, socket))
}

/** Node emits no 'close' for responses that are queued behind others. */
function closeConnection(this: Duplex): void {
  const state = connectionStates.get(this)
  if (!state) return
  restoreStacks()
  if (state.waiting) endWaiting(state, this)
  for (const { outgoing } of state.requests) {
    if (!outgoing.socket) outgoing.emit('close')
    finish(outgoing)
  }
  state.hold?.release()
}

function isSettled({ party }: LoadShare, { party: next }: LoadShare): boolean {
  if ('userId' in party) return 'address' in next || party.userId === next.userId
  return 'address' in next && party.address === next.address
}
