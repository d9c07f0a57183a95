import { createContext, Script } from 'node:vm'

/** The process can do nothing else for this long. */
const TIMEOUT_MS = 250

/** Only a script of `node:vm` can be ended while it computes. This is no sandbox: the code is ours, its data is not. */
const place = createContext({ act: undefined })
const script = new Script('act()')

/** Runs a synchronous function. Undefined if it takes too long. @throws what the function throws */
export function runSyncWithTimeout<T>(act: () => T): { readonly done: T } | undefined {
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

/** The error comes from the context, so `instanceof` does not work. */
function isTooLate(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}
