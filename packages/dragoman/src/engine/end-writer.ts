import type { EngineEvent } from '../agents/index.ts'

/** `told` resolves once the event is written. */
export interface EndWriter {
  readonly told: Promise<void>
  tell(event: EngineEvent): void
}

/** Writes the last event of a step, without waiting for the host. */
export function createEndWriter(emit: (event: EngineEvent) => void | Promise<void>): EndWriter {
  const last = { told: Promise.resolve() }
  return {
    get told() {
      return last.told
    },
    tell(event: EngineEvent): void {
      const telling = async (): Promise<void> => emit(event)
      last.told = telling()
      // It may fail long before anybody waits for it.
      last.told.catch(() => undefined)
    },
  }
}
