import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import type { Server, ServerOptions, Socket } from 'socket.io'

import { ServiceError } from 'dragoman/errors'
import { sendError, sendErrorAndClose } from 'dragoman/http'
import { awaitStrangerTurn, type LoadAccount, type LoadShare } from 'dragoman/server'
import { carryRequest, carryWebSocket, type WebSocketCarrier } from './carriers.ts'
import { createConnectionLoad, type ConnectionLoad } from './connection-load.ts'
import { createPacketRates } from './packet-rates.ts'

const RETRY_AFTER_S = 5
type EngineSocket = Socket['conn']
/** What engine.io adds to a request. */
type EngineRequest = IncomingMessage & {
  readonly websocket?: WebSocketCarrier
}

/** The connections of engine.io, each with what it makes the server hold. */
export interface Connections {
  /** The option of engine.io that is asked whenever it takes a request for a new connection. */
  readonly allowRequest: NonNullable<ServerOptions['allowRequest']>
  /** Starts to count the connections of an engine. */
  watch(engine: Server['engine']): void
  loadOf(socket: Socket): ConnectionLoad | undefined
  /** Lets `pass` give a request to engine.io, and counts it. */
  request(incoming: IncomingMessage, outgoing: ServerResponse, pass: () => void): void
  upgrade(incoming: IncomingMessage, socket: Duplex, pass: () => void): void
}

/** A request, of which engine.io may make a connection. */
type Handshake = {
  readonly refuse: (error: unknown) => void
  load?: ConnectionLoad
  conn?: EngineSocket
}

/** `addressOf` finds the network address of a client. */
export function createConnections(
  account: LoadAccount,
  addressOf: (incoming: IncomingMessage) => string,
): Connections {
  const rates = createPacketRates()
  const handshakes = new WeakMap<IncomingMessage, Handshake>()
  const loadsById = new Map<string, ConnectionLoad>()
  /** Passes a request to engine.io. Returns the connection that it opens or carries. */
  const passOn = (incoming: EngineRequest, handshake: Handshake, pass: () => void): typeof handshake.load => {
    handshakes.set(incoming, handshake)
    pass()
    return handshake.load ?? loadsById.get(sidOf(incoming))
  }
  /** A client that has no connection yet begins one when it is the turn of its address. */
  const begin: Begin = (incoming, socket, { refuse }, start) => {
    if (loadsById.has(sidOf(incoming))) start()
    else awaitTurn(account.share({ address: addressOf(incoming) }), socket, start).catch(refuse)
  }
  return {
    allowRequest(incoming, decide) {
      const handshake = handshakes.get(incoming)
      if (!handshake) return
      try {
        const cut = (): void => cutHandshake(handshake)
        handshake.load = createConnectionLoad({ account, rates, address: addressOf(incoming), cut })
      } catch {
        return handshake.refuse(tooMany())
      }
      return decide(null, true)
    },
    watch(engine) {
      engine.on('connection', (conn: EngineSocket) => {
        const handshake = handshakes.get(conn.request)
        if (!handshake?.load) return conn.close(true)
        handshake.conn = conn
        return countConnection(conn, handshake.load, loadsById)
      })
    },
    loadOf: ({ request }) => handshakes.get(request)?.load,
    request(incoming, outgoing, pass) {
      const handshake: Handshake = { refuse: (error) => sendError(outgoing, error) }
      begin(incoming, incoming.socket, handshake, () => {
        const load = passOn(incoming, handshake, pass)
        if (load) carryRequest(load, incoming, outgoing)
        outgoing.once('close', () => closeUnopened(handshake))
      })
    },
    upgrade(incoming: EngineRequest, socket, pass) {
      const handshake: Handshake = { refuse: (error) => sendErrorAndClose(socket, error) }
      begin(incoming, socket, handshake, () => {
        const load = passOn(incoming, handshake, pass)
        socket.once('close', () => closeUnopened(handshake))
        if (load && incoming.websocket) carryWebSocket(load, incoming.websocket, socket)
        // A WebSocket for another transport would still be read for a while.
        else if (!socket.writableEnded) socket.destroy()
      })
    },
  }
}

type Begin = (incoming: IncomingMessage, socket: Duplex, handshake: Handshake, start: () => void) => void

/** It counts for its address until it is its turn. */
async function awaitTurn(share: LoadShare, socket: Duplex, start: () => void): Promise<void> {
  const waiting = share.take('waitingMessages', 1, () => socket.destroy())
  await awaitStrangerTurn(share, () => socket.destroyed)
  waiting.release()
  if (!socket.destroyed) start()
}

function sidOf({ url = '' }: IncomingMessage): string {
  return new URLSearchParams(url.split('?')[1]).get('sid') ?? ''
}

function cutHandshake(handshake: Handshake): void {
  handshake.conn?.close(true)
  closeUnopened(handshake)
}

/** Releases what was taken for a connection that was not made. */
function closeUnopened({ conn, load }: Handshake): void {
  if (!conn) load?.close()
}

/** Counts what waits for a carrier. */
function countConnection(
  conn: EngineSocket,
  load: ConnectionLoad,
  loadsById: Map<string, ConnectionLoad>,
): void {
  const { sid } = conn.transport
  loadsById.set(sid, load)
  conn.on('packetCreate', ({ data = '' }: { readonly data?: string }) => {
    load.queuedBytes += Buffer.byteLength(data)
    load.update()
  })
  conn.on('flush', () => {
    load.queuedBytes = 0
  })
  conn.on('drain', () => load.update())
  conn.once('close', () => {
    loadsById.delete(sid)
    load.close()
  })
}

function tooMany(): ServiceError {
  const sentence = 'Too many connections of your address have not joined yet.'
  return new ServiceError('overloaded', sentence, { retryAfter: RETRY_AFTER_S })
}
