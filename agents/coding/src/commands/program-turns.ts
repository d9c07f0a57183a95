import { availableParallelism } from 'node:os'

import { createFairQueue, type Turn } from 'dragoman/isolate'
import { ServiceError } from 'dragoman/errors'

/** The commands and searches of one user that run at once. */
export const PROGRAMS_PER_USER = 4
const PLACES = {
  workers: Math.max(16, 2 * availableParallelism()),
  waiting: 2048,
  ofOwner: { workers: PROGRAMS_PER_USER, waiting: 128 },
}
const RETRY_AFTER_SECONDS = 5

export type TurnOptions = {
  /** Of the waiting. */
  readonly signal: AbortSignal
  readonly maxWaitMs: number
}

/** Lets users take turns with the programs that work for them: commands and searches share the places. */
export interface ProgramTurns {
  /**
   * Waits for a place, which is free again once the turn is disposed.
   * @throws the signal's reason; ServiceError `rate-limited` if too many wait, or for too long, of this user;
   * `overloaded` if too many of all users wait
   */
  turn(userId: string, options: TurnOptions): Promise<Turn>
}

export function createProgramTurns(): ProgramTurns {
  const queue = createFairQueue(PLACES, { owner: tooManyPrograms, all: overloaded })
  return {
    async turn(userId, { signal, maxWaitMs }) {
      const late = AbortSignal.timeout(maxWaitMs)
      return queue.turn(userId, 1, AbortSignal.any([signal, late])).catch((error: unknown) => {
        throw error === late.reason ? tooManyPrograms() : error
      })
    },
  }
}

function tooManyPrograms(): ServiceError {
  const sentence = 'Too many commands and searches wait already. Try again once some have ended.'
  return new ServiceError('rate-limited', sentence, { retryAfter: RETRY_AFTER_SECONDS })
}

function overloaded(): ServiceError {
  const sentence = 'Too many commands and searches of all users wait. Try again later.'
  return new ServiceError('overloaded', sentence, { retryAfter: RETRY_AFTER_SECONDS })
}
