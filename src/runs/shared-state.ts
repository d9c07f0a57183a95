import type { ToolCall } from '../agent/index.ts'
import { ServiceError } from '../errors.ts'
import { patched, type Json, type NewRun, type RunEvent } from '../events/index.ts'

/** Letters of JSON that a state may have: each run's request has it whole, and a model reads it. */
const MOST_LETTERS = 64 * 1024

/** What agent and client share, after what a run has done to it: nothing where its client shares nothing. */
export function stateOf({ request }: Pick<NewRun, 'request'>, events: readonly RunEvent[]): Json {
  return events.reduce<Json>(
    (state, event) => (event.type === 'state.changed' ? patched(state, event.patch) : state),
    request.state ?? null,
  )
}

/** For the tools of one run: a change is in the log before its outcome is. */
export function sharedState(begun: Json, write: (event: RunEvent) => void): ToolCall['state'] {
  let state = begun
  return {
    current: () => state,
    change(patch) {
      const next = changed(state, patch)
      write({ type: 'state.changed', patch })
      state = next
      return next
    },
  }
}

function changed(state: Json, patch: Parameters<typeof patched>[1]): Json {
  try {
    const next = patched(state, patch)
    if (JSON.stringify(next).length <= MOST_LETTERS) return next
  } catch (error) {
    if (error instanceof RangeError)
      throw new ServiceError('invalid-input', `The patch does not fit the state: ${error.message}.`)
    throw error
  }
  throw new ServiceError('invalid-input', `The state would be larger than ${MOST_LETTERS / 1024} KB of JSON.`)
}
