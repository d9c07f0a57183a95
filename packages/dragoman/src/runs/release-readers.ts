import { isServiceError } from '../errors.ts'
import type { RunnerPorts } from './ports.ts'

/**
 * Ends the wait of a run's readers here after an error has ended its attempt. If the run was removed with its thread,
 * they read the log once more and learn that it is gone: a "try again" would be wrong.
 */
export async function releaseReaders(
  runId: string,
  error: unknown,
  { store, log, onReleased }: Pick<RunnerPorts, 'store' | 'log' | 'onReleased'>,
): Promise<void> {
  // A store that is unavailable cannot tell, and readers must not wait for it.
  const isKnown = isServiceError(error, 'unavailable') || (await store.get(runId).catch(() => true))
  if (isKnown) onReleased(runId)
  else log.wake(runId)
}
