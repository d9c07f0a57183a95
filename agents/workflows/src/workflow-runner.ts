import type { Json, Usage } from 'dragoman/events'

/** A workflow to run once. `words` is the user's message, for chat workflows. */
export type WorkflowRequest = {
  readonly workflowId: string
  readonly inputs: Json
  readonly words: string
  readonly userId: string
  readonly signal: AbortSignal
}

/** What a workflow reports while it runs: text of its answer, and the state of each node. */
export type WorkflowUpdate =
  | { readonly type: 'text'; readonly delta: string }
  | {
      readonly type: 'node'
      readonly node: string
      readonly title: string
      readonly state: 'started' | 'finished' | 'failed'
    }

/** Runs workflows on another server. */
export interface WorkflowRunner {
  readonly name: string
  readonly workflows: readonly { readonly id: string; readonly description: string }[]
  /**
   * Resolves when the workflow succeeds, with its token usage if that is known. Returns early if the signal aborts.
   * Awaits `tell`. @throws ServiceError if the workflow fails
   */
  run(
    request: WorkflowRequest,
    tell: (news: WorkflowUpdate) => void | Promise<void>,
  ): Promise<Usage | undefined>
}
