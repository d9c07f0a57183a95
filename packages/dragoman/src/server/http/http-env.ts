import type { HttpBindings } from '@hono/node-server'
import type { Feed, Interruption } from '../fan-out/index.ts'
import type { Caller } from './resolve-caller.ts'
import type { LoadShare, RequestLoad } from '../load/index.ts'

/** Who sends a request in a message of a socket, which has been admitted. */
export type SocketCaller = {
  readonly caller: Caller
  /** The remote address of the socket. */
  readonly peer: string | undefined
}

/** What middleware knows about a request once its caller is resolved. */
export type HttpEnv = {
  Variables: {
    userId: string
    /** The path below which the server is reached: see `Config.basePath`. */
    basePath: string
    /** Bytes that a JSON body may have. */
    bodyBytes: number
    /** Whether the caller owns the server. */
    isOwner: boolean
    /** The session of the caller's browser, if there is one. */
    sessionId: string | undefined
    /** Refuses a request that may only read: see `Caller`. */
    requireMayAct: () => void
    /** What the caller holds. */
    load: LoadShare
    feed: Feed | undefined
    /** What is sent before the body of the feed is cut off. */
    interruption: Interruption | undefined
    progress: RequestLoad | undefined
    /** Whether the caller shows the body of an error as it is. */
    readsErrorText: boolean | undefined
  }
  Bindings: Partial<HttpBindings> & { readonly socketCaller?: SocketCaller }
}
