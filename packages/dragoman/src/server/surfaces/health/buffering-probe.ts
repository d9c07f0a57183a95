import type { Context } from 'hono'

import { createWaiter, type Feed } from '../../fan-out/index.ts'
import { deliver, type HttpEnv } from '../../http/index.ts'

const EVENT_COUNT = 5
const INTERVAL_MS = 200

/** A short stream at a known pace. A client that gets it all at once is behind a proxy that buffers streams. */
export function bufferingProbe(c: Context<HttpEnv>): Response {
  return deliver(c, {
    feed: createProbeFeed(),
    heartbeat: ': ping\n\n',
    headers: {},
    closing: new AbortController(),
  })
}

function createProbeFeed(): Feed {
  const utf8 = new TextEncoder()
  const { wait, tell } = createWaiter()
  let beat = 0
  let due = true
  const timer = setInterval(() => {
    due = true
    tell()
  }, INTERVAL_MS)
  return {
    take() {
      if (beat === EVENT_COUNT) return 'end'
      if (!due) return 'wait'
      due = false
      beat += 1
      return utf8.encode(`data: ${JSON.stringify({ beat, of: EVENT_COUNT, at: Date.now() })}\n\n`)
    },
    whenMore: wait,
    close: () => clearInterval(timer),
  }
}
