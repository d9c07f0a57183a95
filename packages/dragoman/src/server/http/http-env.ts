import type { HttpBindings } from '@hono/node-server'
import type { Feed } from '../fan-out/index.ts'
import type { LoadShare, RequestLoad } from '../load/index.ts'

/** What middleware knows about a request once its caller is resolved. */
export type HttpEnv = {
  Variables: {
    userId: string
    /** Whether the caller owns the server. */
    isOwner: boolean
    /** The session of the caller's browser, if there is one. */
    sessionId: string | undefined
    /** Refuses a request that may only read: see `Caller`. */
    requireMayAct: () => void
    /** What the caller holds. */
    load: LoadShare
    feed: Feed | undefined
    progress: RequestLoad | undefined
  }
  Bindings: Partial<HttpBindings>
}
