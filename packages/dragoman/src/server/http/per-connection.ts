import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Requests of all connections that may wait for their turn: who sends more at once is cut. */
const MAX_WAITING = 4096

/**
 * Small and without closures, for each idle reader holds one. A change copies its lists: V8 reserves room for 17 items
 * in an array that `push` or a spread has filled.
 */
type Line = {
  answering: readonly Outgoing[]
  ends: readonly End[]
  /** Whether the connection is listened to. A single response tells by itself when its connection closes. */
  isWatched?: true
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
  const line = lineOf(socket)
  const end = { outgoing, tell }
  line.ends = line.ends.concat(end)
  if (!line.answering.includes(outgoing)) {
    outgoing.on('close', finishThis)
    watch(line, socket)
  }
  return () => {
    line.ends = without(line.ends, end)
  }
}

function finishThis(this: Outgoing): void {
  finish(this)
}

function finish(outgoing: Outgoing): void {
  const { socket } = outgoing.req
  const line = lines.get(socket)
  if (!line) return
  for (const end of line.ends) {
    // One that is told may cancel another.
    if (end.outgoing !== outgoing || !line.ends.includes(end)) continue
    line.ends = without(line.ends, end)
    end.tell()
  }
  if (!line.answering.includes(outgoing)) return
  line.answering = without(line.answering, outgoing)
  // Once all have heard that this one is over.
  queueMicrotask(() => line.goOn?.(line, socket))
}

function without<T>(list: readonly T[], item: T): readonly T[] {
  const at = list.indexOf(item)
  return at < 0 ? list : list.toSpliced(at, 1)
}

function lineOf(socket: Duplex): Line {
  const known = lines.get(socket)
  if (known) return known
  const line: Line = { answering: [], ends: [] }
  lines.set(socket, line)
  return line
}

function watch(line: Line, socket: Duplex): void {
  if (line.isWatched) return
  line.isWatched = true
  socket.on('resume', pauseIfWaiting)
  socket.on('close', finishAll)
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
    line.answering = line.answering.concat(outgoing)
    if (line.answering.length > 1) watch(line, incoming.socket)
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
    watch(line, socket)
    line.waiting ??= []
    line.waiting.push([incoming, outgoing])
    // Node would go on reading once it has passed on this request.
    return process.nextTick(() => isWaiting(line) && socket.pause())
  }
}
