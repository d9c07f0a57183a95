import type { LogEntry } from 'dragoman/events'
import { nativeReader } from './native-reader.ts'
import { follow, type ConnectionOptions } from './follow.ts'

/**
 * Where to begin, and how to ask.
 *
 * @example
 * const options: FollowOptions = { headers: { authorization: 'Bearer dgm_…' } }
 */
export type FollowOptions = ConnectionOptions & {
  /** The last known entry. Default: the run is read from its start. */
  readonly after?: LogEntry
}

/**
 * Yields the entries of a run’s log as they are written, each once and in order, until the last. It reconnects
 * after the last entry as often as needed, and waits while the run waits for an answer. Pass an entry as `after` to
 * continue from there.
 *
 * `run` is the URL of the run’s stream (`…/v1/runs/RUN/events`), or the response in native to the request that
 * started it.
 *
 * @throws Error with `cause: { status, code }` if the run does not exist or belongs to another user, or if the log
 * has not the last known entry: see {@link isLogReplaced}; the signal’s reason if the signal aborts
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
  return follow(run, nativeReader(options.after), options)
}
