import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Waiting requests of all connections. A connection that exceeds this is closed. */
const MAX_WAITING_REQUESTS = 4096

/**
 * Small and without closures, because each idle reader holds one. A change copies its lists: V8 reserves room for 17
 * items in an array that `push` or a spread has filled.
 */
type ConnectionState = {
  answering: readonly Outgoing[]
  endListeners: readonly EndListener[]
  /** Whether the connection has listeners. A single response reports its own close. */
  isWatched?: true
  /** Created when a request has to wait. */
  waiting?: (readonly [IncomingMessage, ServerResponse])[]
  /** Starts the next waiting request. */
  startNext?: (state: ConnectionState, socket: Duplex) => void
}

/** Called when a request is over. */
type EndListener = { readonly outgoing: Outgoing; readonly tell: () => void }

/** An HTTP/1 response. HTTP/2 is not served, but its type has the same members. */
type Outgoing = Pick<ServerResponse, 'on' | 'headersSent'> & { readonly req: { readonly socket: Duplex } }

const states = new WeakMap<Duplex, ConnectionState>()

/** Whether a response is partly written. */
export function isResponding(socket: Duplex): boolean {
  return states.get(socket)?.answering.some(({ headersSent }) => headersSent) ?? false
}

/**
 * Calls `tell` once when a request is over: its response has ended or its connection has closed. Node emits no
 * 'close' for queued responses. Returns a function that cancels.
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
    // A listener may cancel another one.
    if (end.outgoing !== outgoing || !state.endListeners.includes(end)) continue
    state.endListeners = without(state.endListeners, end)
    end.tell()
  }
  if (!state.answering.includes(outgoing)) return
  state.answering = without(state.answering, outgoing)
  // After all listeners have been called.
  queueMicrotask(() => state.startNext?.(state, socket))
}

function without<T>(list: readonly T[], item: T): readonly T[] {
  const at = list.indexOf(item)
  return at < 0 ? list : list.toSpliced(at, 1)
}

function stateOf(socket: Duplex): ConnectionState {
  const socketState = states.get(socket)
  if (socketState) return socketState
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

/** Node resumes reading after each response and while it reads a body. */
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
 * Passes on at most `maxRequests` of a connection at a time. Node reads pipelined requests without waiting for
 * responses; the rest waits here, and reading is paused.
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
    // Node resumes reading once it has passed on this request.
    return process.nextTick(() => isWaiting(state) && socket.pause())
  }
}
