import { emptyMessage, fold, type LogEntry, type RunEvent } from '@dragoman/client'

import type { AssistantMessage, UserPart } from '../api/types.ts'

/** A model has failed with `code`, and is asked again in `retryAfter` seconds. */
export type ModelWait = {
  readonly retryAfter: number
  readonly code: string
  readonly attempt: number
  readonly attempts: number
}

/** What is known of a run that this page follows. */
export type LiveRun = {
  readonly runId: string
  readonly threadId: string
  readonly message: AssistantMessage
  /** The user's message, once it is read from the log. */
  readonly user: { readonly id: string; readonly parts: readonly UserPart[] } | undefined
  /** Whether anything follows the user's message. Until then the run may be queued. */
  readonly hasBegun: boolean
  readonly connection: 'connected' | 'lost' | 'restored'
  /** The pause before the model is asked again. */
  readonly modelWait: ModelWait | undefined
  readonly state: 'active' | 'ended' | 'unreadable'
}

/** A run of which nothing has been read. */
export function newLiveRun(
  of: Pick<LiveRun, 'runId' | 'threadId'> & { readonly messageId: string },
): LiveRun {
  const { runId, threadId, messageId } = of
  return {
    runId,
    threadId,
    message: emptyMessage(messageId),
    user: undefined,
    hasBegun: false,
    connection: 'connected',
    modelWait: undefined,
    state: 'active',
  }
}

/** An answer alone does not let a run go on: it may have asked more. */
export function waitsAfter({ type }: RunEvent, isWaiting: boolean): boolean {
  return type === 'run.waiting' || (isWaiting && type === 'tool.answered')
}

export function changeBy({ event }: LogEntry, run: LiveRun): Partial<LiveRun> {
  const message = fold(run.message, event)
  if (event.type === 'run.started') return { message, user: { id: event.messageId, parts: event.input } }
  return { message, hasBegun: true, modelWait: waitIn(event, run.modelWait) }
}

function waitIn(event: RunEvent, current: ModelWait | undefined): ModelWait | undefined {
  if (event.type !== 'data') return undefined
  return event.name === 'waiting-for-model' ? (event.value as ModelWait) : current
}
