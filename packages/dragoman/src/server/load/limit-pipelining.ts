import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { endOf, finish, open, stateOf } from './connection-load.ts'
import type { ConnectionState, WaitingRequests } from './connection-state.ts'
import type { LoadAccount } from './load-account.ts'
import { beginWaiting, endWaiting } from './waiting-requests.ts'

/**
 * Passes on at most `maxRequests` of a user's connection at a time, one of a connection without a user, and one request
 * of a payer in each turn of the event loop: however many connections send requests, those of others begin in between.
 * Node reads pipelined requests without waiting for responses; the rest waits here, and reading is paused.
 */
export function limitPipelining(
  maxRequests: number,
  load: LoadAccount,
  pass: RequestListener,
): RequestListener {
  const isFull = ({ requests, share }: ConnectionState): boolean =>
    requests.length >= (share && 'userId' in share.party ? maxRequests : 1)
  const start = (state: ConnectionState, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    state.startNext = startNext
    open(state, outgoing)
    pass(incoming, outgoing)
    if (incoming.socket.destroyed) finish(outgoing)
  }
  const startNext = (state: ConnectionState, socket: Duplex): void => {
    const { waiting } = state
    if (!waiting || waiting.awaitsTurn || isFull(state)) return
    const turn = state.share?.turn()
    if (turn) void awaitTurn(turn, state, socket)
    else startWaiting(state, waiting, socket)
  }
  const awaitTurn = async (turn: Promise<void>, state: ConnectionState, socket: Duplex): Promise<void> => {
    if (state.waiting) state.waiting.awaitsTurn = true
    await turn
    if (!state.waiting) return
    state.waiting.awaitsTurn = false
    startWaiting(state, state.waiting, socket)
  }
  const startWaiting = (state: ConnectionState, waiting: WaitingRequests, socket: Duplex): void => {
    const next = waiting.requests.shift()
    if (!next || socket.destroyed) return
    waiting.hold.resize(waiting.requests.length)
    if (waiting.requests.length === 0) endWaiting(state, socket)
    start(state, ...next)
    startNext(state, socket)
  }
  return (incoming, outgoing) => {
    const { socket } = incoming
    if (socket.destroyed) return undefined
    const state = stateOf(socket)
    const mayStart = !isFull(state) && !state.waiting
    const turn = mayStart ? state.share?.turn() : undefined
    if (mayStart && !turn) return start(state, incoming, outgoing)
    try {
      const share = state.share ?? load.share({ address: 'unknown' })
      const isFirst = state.waiting === undefined
      state.waiting ??= {
        hold: share.take('waitingMessages', 0, endOf(share, socket)),
        requests: [],
        awaitsTurn: false,
      }
      state.waiting.hold.resize(state.waiting.requests.push([incoming, outgoing]))
      if (isFirst) beginWaiting(socket)
      state.startNext = startNext
      if (turn) void awaitTurn(turn, state, socket)
    } catch {
      socket.destroy()
    }
    return undefined
  }
}
