import { createContext, Script } from 'node:vm'

/** What acts is ended after so many ms: nothing else can be done here as long. */
const TIMEOUT_MS = 250

/** Only here can what never waits be ended. It is no wall: what acts is ours, and what it works on is not. */
const place = createContext({ act: undefined })
const script = new Script('act()')

/** What comes of an act, as `done`; nothing of one that takes too long. @throws what the act throws */
export function runWithTimeout<T>(act: () => T): { readonly done: T } | undefined {
  let outcome: { readonly done: T } | undefined
  place['act'] = (): void => {
    outcome = { done: act() }
  }
  try {
    script.runInContext(place, { timeout: TIMEOUT_MS })
  } catch (error) {
    if (isTooLate(error)) return undefined
    throw error
  } finally {
    place['act'] = undefined
  }
  return outcome
}

/** It is an error of that place, not of ours. */
function isTooLate(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}
