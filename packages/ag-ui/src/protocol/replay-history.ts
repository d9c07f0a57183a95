import type { Json, Message, Run } from 'dragoman/events'
import { toAgUiMessages } from './to-ag-ui-messages.ts'
import { fitsOneEvent, toRunStarted } from './run-start-events.ts'
import { parseAgUiViewOptions, httpProfile, type Profile } from './ag-ui-view-options.ts'
import type { AgUiMessage, AgUiEventBody } from './wire.ts'

/**
 * A conversation that rests, and the client's names for it and for this look at it. `run`: its last, if there
 * was one.
 */
export type ReplayInput = {
  readonly threadId: string
  readonly runId: string
  readonly view: Json
  readonly run?: Run
  readonly messages: readonly Message[]
  readonly state: Json
}

/** Sends the history as a run without output. The client then has the whole conversation and can continue. */
export function replayHistory({ threadId, runId, view, run, messages, state }: ReplayInput): string[] {
  const profile = httpProfile(parseAgUiViewOptions(view))
  const names = { threadId, runId }
  const snapshots: AgUiEventBody[] = run
    ? [
        { type: 'MESSAGES_SNAPSHOT', messages: fitRecent(run, messages, profile) },
        { type: 'STATE_SNAPSHOT', snapshot: state ?? {} },
      ]
    : []
  const events: AgUiEventBody[] = [
    toRunStarted(names, profile),
    ...snapshots,
    { type: 'RUN_FINISHED', ...names, usage: [] },
  ]
  return events.map((body) => JSON.stringify(body))
}

/** As much of its end as a client takes in one event. */
function fitRecent(run: Run, messages: readonly Message[], profile: Profile): AgUiMessage[] {
  const recentMessages = toAgUiMessages(run, messages, profile)
  if (fitsOneEvent(recentMessages) || messages.length === 0) return recentMessages
  return fitRecent(run, messages.slice(Math.ceil(messages.length / 2)), profile)
}
