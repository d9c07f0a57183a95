import { nextTurn } from './turn-between.ts'

/** After so long, in ms, the event loop gets a turn, and others do their steps. */
const MAX_BUSY_MS = 5

/** Does work that comes in short steps, and lets the event loop turn in between. */
export async function stepByStep<T>(steps: Generator<undefined, T, undefined>): Promise<T> {
  let since = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (performance.now() - since < MAX_BUSY_MS) continue
    await nextTurn()
    since = performance.now()
  }
}
