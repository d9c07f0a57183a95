import { pause } from '../log/index.ts'

const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000

/**
 * Does work until it returns or `signal` aborts. Work that throws is reported and begun again after a pause, which
 * doubles each time until the work goes on for longer than the pause.
 */
export async function keepRunning(
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const start = performance.now()
    try {
      return await work(signal)
    } catch (error) {
      if (signal.aborted) return undefined
      report(error)
    }
    if (performance.now() - start > pauseMs) pauseMs = FIRST_PAUSE_MS
    await pause(pauseMs, signal)
  }
  return undefined
}
