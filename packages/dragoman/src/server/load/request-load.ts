import type { IncomingMessage, ServerResponse } from 'node:http'

import { ServiceError } from '../../errors.ts'
import { assignAnswer, assignConnection, endOf, onRequestEnd } from './connection-load.ts'
import type { Hold, LoadShare } from './load-account.ts'
import { cutIfStalled } from './stalled-reader.ts'

/** A request in progress. It begins as its address's and counts for its user once that is known. */
export interface RequestLoad {
  /** Counts the request for its user, or for its address if it has none. @throws ServiceError */
  admit(share: LoadShare): void
  /** Counts bytes of the body; a negative number gives back those that are held no more. @throws ServiceError */
  addBytes(bytes: number): void
  /** Counts bytes that have come. Returns for how many ms no more should be read. */
  pace(bytes: number): number
  /** Whether the body is read piece by piece: it may take as long as it needs at a usual pace. */
  isUpload: boolean
  /** Aborts when the request is over. */
  readonly signal: AbortSignal
  /** Cuts the connection if its client takes too little of the answer. */
  watchReader(stallTimeoutMs: number): void
  /** The request no longer counts: it is over, or its answer is a stream, which counts as a reader. */
  end(): void
}

/** One for all requests: an error of its own would cost as much as the rest of this. */
const OVER = new ServiceError('unavailable', 'The request is over.')

type Exchange = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }

/** `exchange` is missing if the server is called without a network. Then `end` must be called. */
export function beginRequest(address: LoadShare, exchange: Exchange | undefined): RequestLoad {
  const over = new AbortController()
  const socket = exchange?.incoming.socket
  // Until its user is known, a request takes none of the few places of its address.
  let request = address.take('waitingMessages', 1, socket && endOf(address, socket))
  let bytes = exchange ? headBytes(exchange.incoming) : 0
  let held: Hold | undefined
  let payer = address
  let stopWatching: (() => void) | undefined
  const load: RequestLoad = {
    signal: over.signal,
    isUpload: false,
    admit(share) {
      // What is over would release nothing that it takes now.
      over.signal.throwIfAborted()
      const end = socket && endOf(share, socket)
      const place = share.take('requests', 1, end)
      request.release()
      request = place
      payer = share
      held = share.take('bytesRead', bytes, end)
      if (!exchange) return
      assignConnection(exchange.incoming.socket, share)
      assignAnswer(exchange.outgoing, share)
    },
    addBytes(count) {
      bytes += count
      held?.resize(bytes)
    },
    pace: (count) => payer.pace(count),
    watchReader(stallTimeoutMs) {
      if (exchange && !over.signal.aborted) stopWatching = cutIfStalled(exchange.outgoing, stallTimeoutMs)
    },
    end() {
      stopWatching?.()
      request.release()
      held?.release()
      over.abort(OVER)
    },
  }
  if (socket) assignConnection(socket, address)
  if (exchange) onRequestEnd(exchange.outgoing, load.end)
  return load
}

function headBytes({ rawHeaders, url = '' }: IncomingMessage): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, url.length)
}
