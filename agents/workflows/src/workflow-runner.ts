import type { Json, Usage } from 'dragoman/events'

/** A workflow to be run, once. `words`: what the user said, for those that chat. */
export type WorkflowRequest = {
  readonly workflowId: string
  readonly inputs: Json
  readonly words: string
  readonly userId: string
  readonly signal: AbortSignal
}

/** What a workflow tells while it runs: words of its answer, and how far each of its nodes is. */
export type WorkflowNews =
  | { readonly type: 'text'; readonly delta: string }
  | {
      readonly type: 'node'
      readonly node: string
      readonly title: string
      readonly state: 'started' | 'finished' | 'failed'
    }

/** Runs workflows that live elsewhere. */
export interface WorkflowRunner {
  readonly name: string
  readonly workflows: readonly { readonly id: string; readonly description: string }[]
  /**
   * Resolves when the workflow has ended well, with what it used of models where that is known, and returns early once the signal aborts.
   * `tell` is waited for. @throws ServiceError
   */
  run(asked: WorkflowRequest, tell: (news: WorkflowNews) => void | Promise<void>): Promise<Usage | undefined>
}
