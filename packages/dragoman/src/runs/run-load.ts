/** Counts the runs that this process drives, and what they hold, for their users and for all. */
export interface RunLoad {
  /** @throws ServiceError `rate-limited` if the user's share is used up, `overloaded` if the server is full */
  start(userId: string): RunHold
  /**
   * The same for a run that exists, whose log may have so many bytes, once there is room. @throws as `start` after
   * some time, and the signal's reason
   */
  wait(userId: string, bytes: number, signal: AbortSignal): Promise<RunHold>
}

/** What one run holds. */
export interface RunHold {
  /** @throws ServiceError as `start`; the old size counts then */
  resize(bytes: number): void
  release(): void
}

const nothing: RunHold = { resize: () => undefined, release: () => undefined }

/** Counts nothing. */
export const noRunLoad: RunLoad = { start: () => nothing, wait: async () => nothing }

/** Up to this size a run is not counted: what every run needs must not depend on others. It also grows by it. */
const STEP_BYTES = 256 * 1024

/**
 * Counts the size of one run in steps, so that a token costs nothing. The first call replaces what was held for a log
 * that no one had read. The function that it returns throws as `RunHold.resize`.
 */
export function countGrowth(hold: RunHold): (bytes: number) => void {
  let size = -1
  return (bytes) => {
    const next = bytes <= STEP_BYTES ? 0 : Math.ceil(bytes / STEP_BYTES) * STEP_BYTES
    if (next <= size) return
    hold.resize(next)
    size = next
  }
}
