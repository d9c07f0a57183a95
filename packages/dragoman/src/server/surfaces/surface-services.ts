import type { Hono } from 'hono'

import type { Agent, AppEnv } from '../../agents/index.ts'
import type { Json } from '../../events/index.ts'
import type { FileStore } from '../../files/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { ResolvedAgent, Runs } from '../../runs/index.ts'
import type { ThreadServices } from '../../threads/index.ts'
import type { UserChanges } from '../fan-out/index.ts'
import type { HttpEnv } from '../http/index.ts'
import type { Protocols } from './select-protocol.ts'
import type { Replies } from './replies.ts'

/** Services of every surface for conversations. */
export type Conversations = ThreadServices & {
  readonly protocols: Protocols
  readonly runs: Runs
  readonly replies: Replies
  readonly files: FileStore
  readonly changes: UserChanges
  /**
   * Checks a model that a caller names.
   * @throws ServiceError `forbidden` for a model that the user may not run, `invalid-request` for one that cannot be
   * reached
   */
  readonly requireModel: (named: {
    readonly userId: string
    readonly agent: string
    readonly model: string
  }) => void
  /**
   * The model that a caller names, also by its id alone: by its full name, if it is configured. Undefined for an id
   * that is not known here. @throws ServiceError `forbidden`, `invalid-request` for a name with a provider
   */
  readonly findModel: (named: {
    readonly userId: string
    readonly agent: string
    readonly model: string
  }) => string | undefined
}

/** Services for a surface of an agent module or of a protocol. */
export type SurfaceServices = Conversations & {
  readonly agents: readonly Agent[]
  /** The id of the agent for requests that name none. */
  readonly defaultAgent: string
  /**
   * An agent for one request of a user, with the model that the caller's `llmConfig` asks for.
   * @throws ServiceError `invalid-request`, `forbidden`, `unauthorized`
   */
  readonly resolveForCaller: (
    agent: string,
    caller: { readonly userId: string; readonly llmConfig: Json | undefined },
    signal: AbortSignal,
  ) => Promise<ResolvedAgent>
}

/** An API at a path of its own. `routes` is called once, when the server mounts it. */
export type Surface = {
  readonly path: string
  readonly routes: (server: SurfaceServices) => Hono<AppEnv> | Hono<HttpEnv>
}

/**
 * A wire format, as a server takes it: with the routes that belong to it.
 *
 * @example
 * const lines: ServerProtocol = {
 *   ...native,
 *   name: 'lines',
 *   routes: [{ path: '/lines', routes: () => new Hono<HttpEnv>().get('/', (c) => c.json([])) }],
 * }
 */
export type ServerProtocol = Protocol & { readonly routes?: readonly Surface[] }
