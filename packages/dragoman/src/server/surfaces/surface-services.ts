import type { Json } from '../../events/index.ts'
import type { ResolvedAgent, Runs } from '../../runs/index.ts'
import type { ThreadServices } from '../../threads/index.ts'
import type { Protocols } from './select-protocol.ts'
import type { Replies } from './replies.ts'

/** Services of every surface for conversations. */
export type Conversations = ThreadServices & {
  readonly protocols: Protocols
  readonly runs: Runs
  readonly replies: Replies
  /** @throws ServiceError `invalid-request` for a model that cannot be reached */
  readonly mustReach: (model: string) => void
}

/** Services for a surface of an agent module. */
export type SurfaceServices = Conversations & {
  /**
   * An agent for one request, with the model that the caller's `llmConfig` asks for.
   * @throws ServiceError `invalid-request`, `forbidden`, `unauthorized`
   */
  readonly resolveForCaller: (
    agent: string,
    llmConfig: Json | undefined,
    signal: AbortSignal,
  ) => Promise<ResolvedAgent>
}
