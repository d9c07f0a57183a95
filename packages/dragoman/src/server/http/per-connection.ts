import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Requests of all connections that may wait for their turn: who sends more at once is cut. */
const MAX_WAITING = 4096

/** Small and without closures, for each idle reader holds one. */
type Line = {
  readonly answering: Outgoing[]
  readonly ends: End[]
  /** Made when a request has to wait. */
  waiting?: (readonly [IncomingMessage, ServerResponse])[]
  /** Begins the next of those that wait. */
  goOn?: (line: Line, socket: Duplex) => void
}

/** Told when a request is over. */
type End = { readonly outgoing: Outgoing; readonly tell: () => void }

/** Of HTTP/1; that of HTTP/2, which is not spoken here, has the same names. */
type Outgoing = Pick<ServerResponse, 'on' | 'headersSent'> & { readonly req: { readonly socket: Duplex } }

const lines = new WeakMap<Duplex, Line>()

/** Whether part of an answer has been written to a connection, and not all of it. */
export function hasBegun(socket: Duplex): boolean {
  return lines.get(socket)?.answering.some(({ headersSent }) => headersSent) ?? false
}

/**
 * Tells once when a request is over: it was answered, or its connection has closed. Node itself does not tell those
 * that stand in line. What is returned cancels it.
 */
export function whenOver(outgoing: Outgoing, tell: () => void): () => void {
  const { socket } = outgoing.req
  if (socket.destroyed) {
    tell()
    return () => undefined
  }
  const { ends } = lineOf(socket)
  const end = { outgoing, tell }
  ends.push(end)
  outgoing.on('close', finishThis)
  return () => void remove(ends, end)
}

function finishThis(this: Outgoing): void {
  finish(this)
}

function finish(outgoing: Outgoing): void {
  const { socket } = outgoing.req
  const line = lines.get(socket)
  if (!line) return
  for (const end of line.ends.filter((each) => each.outgoing === outgoing))
    if (remove(line.ends, end)) end.tell()
  // Once all have heard that this one is over.
  if (remove(line.answering, outgoing)) queueMicrotask(() => line.goOn?.(line, socket))
}

/** Whether it was there. */
function remove<T>(list: T[], item: T): boolean {
  const at = list.indexOf(item)
  if (at >= 0) list.splice(at, 1)
  return at >= 0
}

function lineOf(socket: Duplex): Line {
  const known = lines.get(socket)
  if (known) return known
  const line: Line = { answering: [], ends: [] }
  lines.set(socket, line)
  socket.on('resume', pauseIfWaiting)
  socket.on('close', finishAll)
  return line
}

/** Node goes on reading after each answer, and while it reads a body. */
function pauseIfWaiting(this: Duplex): void {
  if (isWaiting(lines.get(this))) this.pause()
}

function finishAll(this: Duplex): void {
  const { answering = [], ends = [] } = lines.get(this) ?? {}
  for (const outgoing of [...answering, ...ends.map((end) => end.outgoing)]) finish(outgoing)
}

function isWaiting(line: Line | undefined): boolean {
  return (line?.waiting?.length ?? 0) > 0
}

/**
 * Passes on at most so many requests of one connection at a time. Node reads all that a client sends without waiting
 * for answers; the rest
 * waits here, and the connection is not read on.
 */
export function perConnection(most: number, pass: RequestListener): RequestListener {
  let waiting = 0
  const goOn = (line: Line, socket: Duplex): void => {
    const next = line.waiting?.shift()
    if (!next) return
    waiting -= 1
    if (!isWaiting(line)) socket.resume()
    if (socket.destroyed) goOn(line, socket)
    else begin(line, ...next)
  }
  const begin = (line: Line, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    line.goOn = goOn
    line.answering.push(outgoing)
    outgoing.on('close', finishThis)
    pass(incoming, outgoing)
    if (incoming.socket.destroyed) finish(outgoing)
  }
  return (incoming, outgoing) => {
    const { socket } = incoming
    const line = lineOf(socket)
    if (line.answering.length < most && !isWaiting(line)) return begin(line, incoming, outgoing)
    if (waiting >= MAX_WAITING) return void socket.destroy()
    waiting += 1
    line.waiting ??= []
    line.waiting.push([incoming, outgoing])
    // Node would go on reading once it has passed on this request.
    return process.nextTick(() => isWaiting(line) && socket.pause())
  }
}
