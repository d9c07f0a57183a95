import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import type { Server, ServerOptions, Socket } from 'socket.io'

import { ServiceError } from 'dragoman/errors'
import { sendError, sendErrorAndClose } from 'dragoman/http'
import type { LoadAccount } from 'dragoman/server'
import { carryRequest, carryWebSocket, type WebSocketCarrier } from './carriers.ts'
import { createConnectionLoad, type ConnectionLoad } from './connection-load.ts'
import { createPacketRates } from './packet-rates.ts'

const RETRY_AFTER_S = 5
type EngineSocket = Socket['conn']
/** What engine.io adds to a request. */
type EngineRequest = IncomingMessage & {
  readonly _query?: { readonly sid?: string }
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
  const admit = (incoming: IncomingMessage, handshake: Handshake): void => {
    const cut = (): void => {
      handshake.conn?.close(true)
      closeUnopened(handshake)
    }
    handshake.load = createConnectionLoad({ account, rates, address: addressOf(incoming), cut })
  }
  /** Passes a request to engine.io. Returns the connection that it opens or carries. */
  const passOn = (incoming: EngineRequest, handshake: Handshake, pass: () => void): typeof handshake.load => {
    handshakes.set(incoming, handshake)
    pass()
    const { _query: { sid = '' } = {} } = incoming
    return handshake.load ?? loadsById.get(sid)
  }
  return {
    allowRequest(incoming, decide) {
      const handshake = handshakes.get(incoming)
      if (!handshake) return
      try {
        admit(incoming, handshake)
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
      const load = passOn(incoming, handshake, pass)
      if (load) carryRequest(load, incoming, outgoing)
      outgoing.once('close', () => closeUnopened(handshake))
    },
    upgrade(incoming: EngineRequest, socket, pass) {
      const handshake: Handshake = { refuse: (error) => sendErrorAndClose(socket, error) }
      const load = passOn(incoming, handshake, pass)
      socket.once('close', () => closeUnopened(handshake))
      if (load && incoming.websocket) carryWebSocket(load, incoming.websocket, socket)
      // A WebSocket for another transport would still be read for a while.
      else if (!socket.writableEnded) socket.destroy()
    },
  }
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
