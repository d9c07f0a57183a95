import type { Context } from 'hono'

import { createWaiter, type Feed } from '../fan-out/index.ts'
import { deliver, type HttpEnv } from '../http/index.ts'

const BEATS = 5
const PAUSE_MS = 200

/** A short stream at a known pace: whoever gets it all at once has a proxy before them that holds streams back. */
export function beats(c: Context<HttpEnv>): Response {
  return deliver(c, { feed: paced(), heartbeat: ': ping\n\n', headers: {}, gone: new AbortController() })
}

function paced(): Feed {
  const utf8 = new TextEncoder()
  const { wait, tell } = createWaiter()
  let beat = 0
  let due = true
  const timer = setInterval(() => {
    due = true
    tell()
  }, PAUSE_MS)
  return {
    take() {
      if (beat === BEATS) return 'end'
      if (!due) return 'wait'
      due = false
      beat += 1
      return utf8.encode(`data: ${JSON.stringify({ beat, of: BEATS, at: Date.now() })}\n\n`)
    },
    whenMore: wait,
    close: () => clearInterval(timer),
  }
}
