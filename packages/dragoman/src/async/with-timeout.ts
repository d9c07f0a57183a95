import { ServiceError } from '../errors.ts'
import { guardSignal } from './guard-signal.ts'
import { raceAbort } from './race-abort.ts'

/**
 * How long a function of an agent or a tool may take before an action or during it, in ms: a request or a run waits
 * for it.
 */
export const HOOK_TIMEOUT_MS = 10_000

/**
 * Waits at most `timeoutMs` for `work`, whose signal aborts then.
 * @throws ServiceError `timed-out`, and the reason of `signal` once that aborts
 */
export async function withTimeout<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const timeout = new AbortController()
  const timer = setTimeout(
    () => timeout.abort(new ServiceError('timed-out', `It took longer than ${timeoutMs / 1000} s.`)),
    timeoutMs,
  )
  const either = AbortSignal.any([signal, timeout.signal])
  // The work has failed by then, which is what counts.
  const guarded = guardSignal(either, () => undefined)
  const act = async (): Promise<T> => work(guarded.signal)
  try {
    return await raceAbort(act(), either, () => {
      throw either.reason
    })
  } finally {
    clearTimeout(timer)
    guarded.release()
  }
}
