import { setImmediate as immediate } from 'node:timers/promises'

/** Rounds and time after which the event loop gets a turn. */
const MAX_ROUNDS = 16
const MAX_BUSY_MS = 8

/**
 * Keeps the event loop turning in a loop over what others yield. If each `await` of such a loop is settled already,
 * no timer and no socket gets its turn. Await the result in each round: it is a promise once 8 ms are over.
 */
export function loopTurns(): () => Promise<void> | undefined {
  let rounds = 0
  let since = performance.now()
  const turn = async (): Promise<void> => {
    await immediate()
    rounds = 0
    since = performance.now()
  }
  return () => {
    rounds += 1
    return rounds < MAX_ROUNDS || performance.now() - since < MAX_BUSY_MS ? undefined : turn()
  }
}
