import { fairQueue } from '../../async/index.ts'
import type { LoadShare } from './load-account.ts'
import { waitForIdleLoop } from './loop-idle.ts'

/** The next one begins once the event loop has had nothing to do for this time in all. One costs about half of it. */
const IDLE_MS = 2
const MAX_WAIT_MS = 50

/** One for the process, which has one event loop. */
const turns = fairQueue()

/**
 * Waits until a caller without a user may begin something. They begin one at a time, in what the event loop has left
 * after the work for users, and addresses take turns. A stranger with many connections makes other strangers wait, and
 * users wait for none of them. What is over by then takes no turn.
 */
export function awaitStrangerTurn({ party }: LoadShare, isOver: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  void turns.run('address' in party ? party.address : party.userId, async () => {
    resolve()
    if (!isOver()) await waitForIdleLoop(IDLE_MS, MAX_WAIT_MS)
  })
  return promise
}
