import type { Duplex } from 'node:stream'

import { ServiceError } from 'dragoman/errors'
import type { Caller } from 'dragoman/http'
import {
  assignConnection,
  createPageReader,
  type Hold,
  type LoadAccount,
  type LoadShare,
  type PageReader,
} from 'dragoman/server'
import type { PacketRates } from './packet-rates.ts'

/** Bytes that a connection may hold before it has joined: a token and an offset are much smaller. */
const MAX_BYTES_BEFORE_JOIN = 64 * 1024
/** A connection that does not join is cut after this time. */
const JOIN_TIMEOUT_MS = 10_000
/** Bytes of messages that wait before no more is read. */
const PAUSE_AT_BYTES = 1024 * 1024
/** To join costs as much as so many packets: what a client followed before is looked up. */
const JOIN_PACKETS = 20
/** Bytes are counted in these steps, so that an event costs nothing. */
const STEP_BYTES = 16 * 1024

/** A request or a WebSocket that carries a connection. */
export type Carrier = {
  readonly source: { pause(): unknown; resume(): unknown }
  readonly outlet: { readonly writableLength: number }
  readonly socket: Duplex
  /** Bytes of a message that has not come to its end. */
  unfinishedBytes: number
}

/** What one connection makes the server hold. Its address pays until it has joined, then its user. */
export interface ConnectionLoad {
  /** Bytes that were sent and that no carrier has taken yet. */
  queuedBytes: number
  /** Bytes of events that cannot be sent before all of them are there. */
  partialBytes: number
  readonly isClosed?: true
  readonly isTooFast?: boolean
  readonly carriers: Set<Carrier>
  /** Adds a carrier. For a user, it costs as much as so many packets. */
  add(carrier: Carrier, packets: number): void
  /** Counts bytes that have come. Returns for how many ms no more should be read. */
  pace(bytes: number): number
  /** Reads no more for so many ms. */
  stopReading(ms: number): void
  /** Counts what the connection holds now. It is cut if that is too much. */
  update(): void
  /** Counts packets and control frames that have come. The connection is cut if they come too fast. */
  countPackets(count: number): void
  /** Counts a message until the function that it returns is called. */
  countMessage(bytes: number): () => void
  /** `end` ends the connection when its token is revoked. @throws ServiceError `rate-limited`, `overloaded` */
  join(caller: Caller, end: () => void): void
  /** Reads something large for the user who pays for the connection. */
  createPageReader(signal: AbortSignal): PageReader
  /** Called when the connection has ended. What it still holds counts until it is released. */
  close(): void
}

export type ConnectionLoadOptions = {
  readonly account: LoadAccount
  readonly rates: PacketRates
  readonly address: string
  /** Ends the connection without any further word. */
  readonly cut: () => void
}

/** @throws ServiceError if there is no room for another connection of the address */
export function createConnectionLoad(options: ConnectionLoadOptions): ConnectionLoad {
  const { account, rates, address } = options
  const cut = (): void => {
    options.cut()
    for (const { socket } of load.carriers) socket.destroy()
  }
  /** Cuts the connection if a share is used up. */
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch {
      cut()
    }
  }
  const payer: Payer = { name: `address ${address}`, share: account.share({ address }), end: cut }
  const holds = takeHolds(payer.share, () => payer.end())
  const joinTimer = setTimeout(cut, JOIN_TIMEOUT_MS)
  const messages = { count: 0, bytes: 0 }
  const count = createCount(holds, messages)
  const load: ConnectionLoad = {
    queuedBytes: 0,
    partialBytes: 0,
    carriers: new Set(),
    add(carrier, packets) {
      load.carriers.add(carrier)
      load.countPackets(payer.isUser ? packets : 1)
      if (payer.isUser) attempt(() => assignConnection(carrier.socket, payer.share))
    },
    pace: (bytes) => payer.share.pace(bytes),
    stopReading: (ms) => stopReading(load, ms),
    update: () => attempt(() => count(load, payer)),
    countPackets(packets) {
      if (!rates.count(payer.name, packets)) cut()
    },
    countMessage(bytes) {
      const add = (sign: 1 | -1): void => {
        messages.count += sign
        messages.bytes += sign * bytes
        load.update()
      }
      add(1)
      return () => add(-1)
    },
    join({ userId, token, session }, end) {
      const share = account.share({ userId, tokenId: session?.id ?? token?.id })
      holds.move(share)
      clearTimeout(joinTimer)
      Object.assign(payer, { name: `user ${userId}`, share, end, isUser: true })
      load.countPackets(JOIN_PACKETS)
    },
    createPageReader: (signal) => createSendingReader(payer.share, signal),
    close() {
      clearTimeout(joinTimer)
      holds.releaseSocket()
      Object.assign(load, { queuedBytes: 0, isClosed: true })
      load.update()
    },
  }
  return load
}

/** Reads no more of a connection for so many ms. */
function stopReading(load: ConnectionLoad, ms: number): void {
  if (ms === 0 || load.isTooFast) return
  const setTooFast = (isTooFast: boolean): void => {
    Object.assign(load, { isTooFast })
    load.update()
  }
  setTooFast(true)
  setTimeout(setTooFast, ms, false)
}

/** Its pages are sent at once: from then on, they count as what was sent. */
function createSendingReader(share: LoadShare, signal: AbortSignal): PageReader {
  const { make, release } = createPageReader(share, signal)
  return { make: async (bytes, page) => make(bytes, page).finally(release), release }
}

/** Who pays for a connection. */
type Payer = { name: string; share: LoadShare; end: () => void; isUser?: true }

/** Counts what a connection holds. @throws ServiceError if that is more than its payer may hold */
function createCount(
  holds: Holds,
  messages: { readonly count: number; readonly bytes: number },
): (load: ConnectionLoad, payer: Payer) => void {
  const pauseSources = createPause()
  return (load, { isUser }) => {
    const { carriers, queuedBytes, partialBytes, isClosed, isTooFast = false } = load
    const { unfinishedBytes, unsentBytes } = measureCarriers(carriers)
    pauseSources(carriers, isTooFast || messages.bytes > PAUSE_AT_BYTES)
    if (!isUser && unfinishedBytes > MAX_BYTES_BEFORE_JOIN)
      throw new ServiceError('too-large', 'Too much was sent before the connection has joined.')
    holds.set(messages.count, unfinishedBytes + messages.bytes, queuedBytes + partialBytes + unsentBytes)
    if (isClosed && carriers.size === 0 && messages.count === 0) holds.release()
  }
}

/** Sums up what open carriers hold, and forgets the others. */
function measureCarriers(carriers: Set<Carrier>): { unfinishedBytes: number; unsentBytes: number } {
  const sum = { unfinishedBytes: 0, unsentBytes: 0 }
  for (const carrier of carriers) {
    if (carrier.socket.destroyed) carriers.delete(carrier)
    else {
      sum.unfinishedBytes += carrier.unfinishedBytes
      sum.unsentBytes += carrier.outlet.writableLength
    }
  }
  return sum
}

/** Stops to read from all carriers, also from new ones, until it reads again. */
function createPause(): (carriers: Iterable<Carrier>, isPaused: boolean) => void {
  let wasPaused = false
  return (carriers, isPaused) => {
    if (!isPaused && !wasPaused) return
    wasPaused = isPaused
    for (const { source } of carriers) source[isPaused ? 'pause' : 'resume']()
  }
}

type Holds = {
  /** @throws ServiceError `rate-limited`, `overloaded` */
  set(messages: number, bytesRead: number, bytesUnsent: number): void
  /** @throws ServiceError `rate-limited`, `overloaded` */
  move(share: LoadShare): void
  releaseSocket(): void
  release(): void
}

/** A new connection ends no other one of its address. @throws ServiceError `rate-limited`, `overloaded` */
function takeHolds(share: LoadShare, end: () => void): Holds {
  share.requireRoom('sockets')
  const socket = share.take('sockets', 1, end)
  const messages = share.take('waitingMessages', 0)
  const read = share.take('bytesRead', 0)
  const unsent = share.take('bytesUnsent', 0)
  const [setMessages, setRead, setUnsent] = [inSteps(messages, 1), inSteps(read), inSteps(unsent)]
  return {
    set(messageCount, bytesRead, bytesUnsent) {
      setMessages(messageCount)
      setRead(bytesRead)
      setUnsent(bytesUnsent)
    },
    move(to) {
      for (const hold of [socket, messages, read, unsent]) hold.move(to)
    },
    releaseSocket: () => socket.release(),
    release() {
      for (const hold of [messages, read, unsent]) hold.release()
    },
  }
}

/** Counts whole steps only. */
function inSteps(hold: Hold, step: number = STEP_BYTES): (amount: number) => void {
  let steps = 0
  return (amount) => {
    const now = Math.floor(amount / step)
    if (now === steps) return
    hold.resize(now * step)
    steps = now
  }
}
