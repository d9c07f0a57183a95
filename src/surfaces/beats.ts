import { setTimeout as pause } from 'node:timers/promises'

import type { Context } from 'hono'

import { sse, type HttpEnv } from '../transports/index.ts'
import { socketOf } from './replies.ts'

const BEATS = 5
const PAUSE_MS = 200

/** A short stream at a known pace: whoever gets it all at once has a proxy before them that holds streams back. */
export function beats(c: Context<HttpEnv>): Response {
  const gone = new AbortController()
  return sse(paced(gone.signal), { heartbeat: ': ping\n\n', headers: {}, gone, socket: socketOf(c) })
}

async function* paced(gone: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const utf8 = new TextEncoder()
  for (let beat = 1; beat <= BEATS && !gone.aborted; beat++) {
    // Whoever leaves in the middle ends the wait, and the loop with it.
    if (beat > 1) await pause(PAUSE_MS, undefined, { signal: gone }).catch(() => undefined)
    yield utf8.encode(`data: ${JSON.stringify({ beat, of: BEATS, at: Date.now() })}\n\n`)
  }
}
