import type { Json, Message, Run } from '../../events/index.ts'
import { conversation } from './messages.ts'
import { isTaken, started } from './opening.ts'
import { agUiView, httpProfile, type Profile } from './view.ts'
import type { AgUiMessage, AgUiWord } from './wire.ts'

/** A conversation that rests, and the client's names for it and for this look at it. `run`: its last, if there was one. */
export type Rested = {
  readonly threadId: string
  readonly runId: string
  readonly view: Json
  readonly run?: Run
  readonly messages: readonly Message[]
  readonly state: Json
}

/** Shows what was said as a run without words of its own: its client has all of it then, and can go on. */
export function replay({ threadId, runId, view, run, messages, state }: Rested): string[] {
  const profile = httpProfile(agUiView(view))
  const names = { threadId, runId }
  const past: AgUiWord[] = run
    ? [
        { type: 'MESSAGES_SNAPSHOT', messages: recent(run, messages, profile) },
        { type: 'STATE_SNAPSHOT', snapshot: state ?? {} },
      ]
    : []
  const words: AgUiWord[] = [started(names, profile), ...past, { type: 'RUN_FINISHED', ...names, usage: [] }]
  return words.map((word) => JSON.stringify(word))
}

/** As much of its end as a client takes in one event. */
function recent(run: Run, messages: readonly Message[], profile: Profile): AgUiMessage[] {
  const told = conversation(run, messages, profile)
  if (isTaken(told) || messages.length === 0) return told
  return recent(run, messages.slice(Math.ceil(messages.length / 2)), profile)
}
