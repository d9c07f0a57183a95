import type { Json } from '../../events/index.ts'
import type { FileStore } from '../../files/index.ts'
import type { ResolvedAgent, Runs } from '../../runs/index.ts'
import type { ThreadServices } from '../../threads/index.ts'
import type { UserChanges } from '../fan-out/index.ts'
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

/** Services for a surface of an agent module. */
export type SurfaceServices = Conversations & {
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
