import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { cutIfStalled, watchBody } from 'dragoman/server'
import type { Carrier, ConnectionLoad } from './connection-load.ts'

/** What a piece of a message costs in memory besides its bytes. */
const PIECE_BYTES = 256
/** A WebSocket for a connection that has one already is open for a while. */
const WEBSOCKET_PACKETS = 20
/** A response of which little is taken for this time is cut. */
const STALL_TIMEOUT_MS = 60_000
/** It separates the packets of a body. https://socket.io/docs/v4/engine-io-protocol/#packet-encoding-1 */
const SEPARATOR = '\u001e'

/** What is used of a WebSocket of ws. */
export type WebSocketCarrier = NodeJS.EventEmitter &
  Carrier['source'] & {
    /** Not public. Fragments of a message may have one byte each. The length is what the frames announce. */
    readonly _receiver?: { readonly _fragments?: readonly unknown[]; readonly _totalPayloadLength?: number }
  }

/**
 * Counts what a WebSocket has not read to the end of a message, as soon as it is announced, and what it has not sent. A
 * message for which there is no room is not read: what was read of it would be memory until it is collected.
 */
export function carryWebSocket(load: ConnectionLoad, websocket: WebSocketCarrier, socket: Duplex): void {
  const carrier: Carrier = { source: websocket, outlet: socket, socket, unfinishedBytes: 0 }
  let bytes = 0
  let lastPiece = 0
  const update = (): void => {
    const { _receiver: { _fragments: fragments = [], _totalPayloadLength: announced = 0 } = {} } = websocket
    carrier.unfinishedBytes = Math.max(bytes, announced) + fragments.length * PIECE_BYTES
    load.update()
  }
  // Before and after ws reads it.
  socket.prependListener('data', ({ length }: Buffer) => {
    lastPiece = length
    bytes += length + PIECE_BYTES
    load.stopReading(load.pace(length))
    update()
  })
  socket.on('data', update)
  websocket.on('message', ({ length }: Buffer) => {
    // A message in fragments has more headers.
    bytes = Math.min(Math.max(0, bytes - frameBytes(length)), lastPiece)
    load.countPackets(1)
  })
  const countControl = ({ length }: Buffer): void => {
    bytes = Math.max(0, bytes - frameBytes(length))
    load.countPackets(1)
  }
  websocket.on('ping', countControl)
  websocket.on('pong', countControl)
  socket.on('drain', load.update)
  socket.once('close', load.update)
  load.add(carrier, WEBSOCKET_PACKETS)
}

/** https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
function frameBytes(payload: number): number {
  const lengthBytes = payload < 126 ? 0 : payload < 65_536 ? 2 : 8
  return 2 + lengthBytes + 4 + payload
}

/** Counts the body of a request until it has been read, and the response until it has been sent. */
export function carryRequest(
  load: ConnectionLoad,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { socket } = incoming
  const carrier: Carrier = { source: incoming, outlet: outgoing, socket, unfinishedBytes: 0 }
  load.add(carrier, 1)
  const stopWatching = cutIfStalled(outgoing, STALL_TIMEOUT_MS)
  outgoing.once('close', () => {
    stopWatching()
    load.carriers.delete(carrier)
    load.update()
  })
  if (incoming.method === 'POST') countBody(load, carrier, incoming)
}

function countBody(load: ConnectionLoad, carrier: Carrier, incoming: IncomingMessage): void {
  const pace = watchBody(incoming, { addBytes: () => undefined, pace: load.pace, isUpload: false })
  pace?.refusal.catch(() => incoming.socket.destroy())
  incoming.on('data', (piece: string) => {
    carrier.unfinishedBytes += Buffer.byteLength(piece) + PIECE_BYTES
    // engine.io splits the whole body at once.
    load.countPackets(piece.split(SEPARATOR).length - 1)
    load.update()
  })
  incoming.once('close', () => {
    pace?.end()
    carrier.unfinishedBytes = 0
    load.update()
  })
}
