import type { LogEntry } from 'dragoman/events'
import { entries } from './entries.ts'
import { follow, type LineOptions } from './follow.ts'

/**
 * Where to begin, and how to ask.
 *
 * @example
 * const options: FollowOptions = { after: 2, headers: { authorization: 'Bearer dgm_…' } }
 */
export type FollowOptions = LineOptions & {
  /** The `seq` of the last entry that is known. Without it the run is told from its first. */
  readonly after?: number
}

/**
 * The entries of a run’s log as they are written, each once and in order, until the last. A line that is lost is taken up again after the
 * last entry, however often; a run that waits for an answer is waited for. An entry’s `seq` is the cursor: given as `after`, it goes on
 * from there another time.
 *
 * `run` is where the run’s stream is (`…/v1/runs/RUN/events`), or the answer in native to the request that began it.
 * @throws Error where the run is not there, or not ours, with `cause: { status, code }`; the signal’s reason where that aborts
 *
 * @example
 * for await (const { seq, event } of followRun(`${url}/v1/runs/${runId}/events`)) {
 *   console.log(seq, event.type)
 * }
 */
export function followRun(
  run: string | URL | Response,
  options: FollowOptions = {},
): AsyncGenerator<LogEntry, void, undefined> {
  return follow(run, entries(options.after ?? 0), options)
}
