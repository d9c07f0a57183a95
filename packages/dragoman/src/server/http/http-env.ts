import type { HttpBindings } from '@hono/node-server'
import type { Feed } from '../fan-out/index.ts'
import type { RequestLoad } from './request-load.ts'

/** What middleware knows about a request once its caller is resolved. */
export type HttpEnv = {
  Variables: {
    userId: string
    tokenId: string | undefined
    feed: Feed | undefined
    progress: RequestLoad | undefined
  }
  Bindings: Partial<HttpBindings>
}
