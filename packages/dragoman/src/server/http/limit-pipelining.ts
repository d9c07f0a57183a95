import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Requests of all connections that may wait for their turn: who sends more at once is cut. */
const MAX_WAITING_REQUESTS = 4096

/**
 * Small and without closures, for each idle reader holds one. A change copies its lists: V8 reserves room for 17 items
 * in an array that `push` or a spread has filled.
 */
type ConnectionState = {
  answering: readonly Outgoing[]
  endListeners: readonly EndListener[]
  /** Whether the connection is listened to. A single response tells by itself when its connection closes. */
  isWatched?: true
  /** Made when a request has to wait. */
  waiting?: (readonly [IncomingMessage, ServerResponse])[]
  /** Begins the next of those that wait. */
  startNext?: (state: ConnectionState, socket: Duplex) => void
}

/** Told when a request is over. */
type EndListener = { readonly outgoing: Outgoing; readonly tell: () => void }

/** Of HTTP/1; that of HTTP/2, which is not spoken here, has the same names. */
type Outgoing = Pick<ServerResponse, 'on' | 'headersSent'> & { readonly req: { readonly socket: Duplex } }

const states = new WeakMap<Duplex, ConnectionState>()

/** Whether part of an answer has been written to a connection, and not all of it. */
export function isResponding(socket: Duplex): boolean {
  return states.get(socket)?.answering.some(({ headersSent }) => headersSent) ?? false
}

/**
 * Tells once when a request is over: it was answered, or its connection has closed. Node itself does not tell those
 * that stand in line. What is returned cancels it.
 */
export function onRequestEnd(outgoing: Outgoing, tell: () => void): () => void {
  const { socket } = outgoing.req
  if (socket.destroyed) {
    tell()
    return () => undefined
  }
  const state = stateOf(socket)
  const end = { outgoing, tell }
  state.endListeners = state.endListeners.concat(end)
  if (!state.answering.includes(outgoing)) {
    outgoing.on('close', finishThis)
    watchConnection(state, socket)
  }
  return () => {
    state.endListeners = without(state.endListeners, end)
  }
}

function finishThis(this: Outgoing): void {
  finish(this)
}

function finish(outgoing: Outgoing): void {
  const { socket } = outgoing.req
  const state = states.get(socket)
  if (!state) return
  for (const end of state.endListeners) {
    // One that is told may cancel another.
    if (end.outgoing !== outgoing || !state.endListeners.includes(end)) continue
    state.endListeners = without(state.endListeners, end)
    end.tell()
  }
  if (!state.answering.includes(outgoing)) return
  state.answering = without(state.answering, outgoing)
  // Once all have heard that this one is over.
  queueMicrotask(() => state.startNext?.(state, socket))
}

function without<T>(list: readonly T[], item: T): readonly T[] {
  const at = list.indexOf(item)
  return at < 0 ? list : list.toSpliced(at, 1)
}

function stateOf(socket: Duplex): ConnectionState {
  const known = states.get(socket)
  if (known) return known
  const state: ConnectionState = { answering: [], endListeners: [] }
  states.set(socket, state)
  return state
}

function watchConnection(state: ConnectionState, socket: Duplex): void {
  if (state.isWatched) return
  state.isWatched = true
  socket.on('resume', pauseIfWaiting)
  socket.on('close', finishAll)
}

/** Node goes on reading after each answer, and while it reads a body. */
function pauseIfWaiting(this: Duplex): void {
  if (isWaiting(states.get(this))) this.pause()
}

function finishAll(this: Duplex): void {
  const { answering = [], endListeners = [] } = states.get(this) ?? {}
  for (const outgoing of [...answering, ...endListeners.map((end) => end.outgoing)]) finish(outgoing)
}

function isWaiting(state: ConnectionState | undefined): boolean {
  return (state?.waiting?.length ?? 0) > 0
}

/**
 * Passes on at most so many requests of one connection at a time. Node reads all that a client sends without waiting
 * for answers; the rest
 * waits here, and the connection is not read on.
 */
export function limitPipelining(maxRequests: number, pass: RequestListener): RequestListener {
  let waiting = 0
  const startNext = (state: ConnectionState, socket: Duplex): void => {
    const next = state.waiting?.shift()
    if (!next) return
    waiting -= 1
    if (!isWaiting(state)) socket.resume()
    if (socket.destroyed) startNext(state, socket)
    else start(state, ...next)
  }
  const start = (state: ConnectionState, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    state.startNext = startNext
    state.answering = state.answering.concat(outgoing)
    if (state.answering.length > 1) watchConnection(state, incoming.socket)
    outgoing.on('close', finishThis)
    pass(incoming, outgoing)
    if (incoming.socket.destroyed) finish(outgoing)
  }
  return (incoming, outgoing) => {
    const { socket } = incoming
    const state = stateOf(socket)
    if (state.answering.length < maxRequests && !isWaiting(state)) return start(state, incoming, outgoing)
    if (waiting >= MAX_WAITING_REQUESTS) return void socket.destroy()
    waiting += 1
    watchConnection(state, socket)
    state.waiting ??= []
    state.waiting.push([incoming, outgoing])
    // Node would go on reading once it has passed on this request.
    return process.nextTick(() => isWaiting(state) && socket.pause())
  }
}
