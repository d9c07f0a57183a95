import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import type { Hold, LoadShare } from './load-account.ts'

/**
 * Small and without closures, because each idle reader holds one. A change copies its lists: V8 reserves room for 17
 * items in an array that `push` or a spread has filled.
 */
export type ConnectionState = {
  /** Requests that were passed on and are not over, in order. */
  requests: readonly OpenRequest[]
  /** Who pays for the connection: its address, then the user of its latest request. */
  share?: LoadShare
  hold?: Hold
  /** Ends the connection, and with it all that its address holds for it. */
  end?: () => void
  /** Created when a request has to wait. */
  waiting?: WaitingRequests
  /** Starts the next waiting request. */
  startNext?: (state: ConnectionState, socket: Duplex) => void
}

export type WaitingRequests = {
  readonly hold: Hold
  readonly requests: (readonly [IncomingMessage, ServerResponse])[]
  /** Whether it is to be the turn of the connection's payer. */
  awaitsTurn: boolean
}

export type OpenRequest = {
  readonly outgoing: Outgoing
  onEnd?: (() => void) | undefined
  /** Who pays for what the client has not taken. */
  payer?: LoadShare
  unsent?: Hold
}

/** An HTTP/1 response. HTTP/2 is not served, but its type has the same members. */
export type Outgoing = Pick<ServerResponse, 'on' | 'emit' | 'headersSent' | 'socket' | 'writableLength'> & {
  readonly req: { readonly socket: Duplex }
}

/** What is known of each connection. */
export const connectionStates: WeakMap<Duplex, ConnectionState> = new WeakMap()
