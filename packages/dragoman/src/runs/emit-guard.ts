import { setImmediate as immediate } from 'node:timers/promises'

import type { EngineEvent } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { eventSize } from '../log/index.ts'
import type { AbortCause } from './abort-cause.ts'
import type { RunContext } from './run-context.ts'

/** An engine that waits where it must emits some hundred events between two turns of the event loop. */
const MAX_EVENTS_PER_TURN = 8192

/** Keeps an engine that does not wait for its host from stopping the event loop. */
export interface EmitGuard {
  /** Counts an event. @throws ServiceError `internal` in a loop that never lets the event loop turn */
  count(): void
  /** The size of an event. Aborts the run, and gives nothing, if the log has no room for it. */
  sizeOf(event: EngineEvent): number | undefined
  /** Resolves after a turn of the event loop: an engine that ignores its signal must not block the server. */
  turn(): Promise<void>
}

export function createEmitGuard({ budget, control }: Pick<RunContext, 'budget' | 'control'>): EmitGuard {
  let events = 0
  const onTurn = (): void => void (events = 0)
  return {
    count() {
      if (events === 0) setImmediate(onTurn)
      events += 1
      if (events <= MAX_EVENTS_PER_TURN) return
      control.abort({ kind: 'failed', error: flooded } satisfies AbortCause)
      throw flooded
    },
    sizeOf(event) {
      const bytes = eventSize(event)
      if (budget.fits(bytes)) return bytes
      budget.exhaust()
      return undefined
    },
    turn: () => immediate(),
  }
}

const flooded = new ServiceError(
  'internal',
  `The engine emitted ${MAX_EVENTS_PER_TURN} events without waiting for the log.`,
)
