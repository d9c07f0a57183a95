import { setImmediate as immediate } from 'node:timers/promises'

/** So long works a caller before the event loop gets a turn, in ms: several work at once. */
const MAX_BUSY_MS = 5

/** Does work that comes in short steps, and lets the event loop turn in between. */
export async function stepByStep<T>(steps: Generator<undefined, T, undefined>): Promise<T> {
  let since = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (performance.now() - since < MAX_BUSY_MS) continue
    await immediate()
    since = performance.now()
  }
}
