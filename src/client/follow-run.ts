import type { LogEntry } from '../events/index.ts'
import type { Body } from './complete-texts.ts'
import { entries } from './entries.ts'
import { inDialect, streamOf } from './run-url.ts'
import { refusal, unbroken, type OnConnection } from './unbroken.ts'

export type FollowOptions = {
  /** The `seq` of the last entry that is known. Without it the run is told from its first. */
  readonly after?: number
  /** Ends it: the iteration throws the signal’s reason. The run goes on. */
  readonly signal?: AbortSignal
  /** What says who asks, like `authorization`. */
  readonly headers?: NonNullable<RequestInit['headers']>
  /** Whether a browser sends cookies. */
  readonly credentials?: NonNullable<RequestInit['credentials']>
  /** In place of the global one. */
  readonly fetch?: typeof fetch
  /** Told `false` when the line is lost, and `true` when there is one again. */
  readonly onConnection?: OnConnection
}

/**
 * The entries of a run’s log as they are written, each once and in order, until the last. A line that is lost is taken up again after the
 * last entry, however often; a run that waits for an answer is waited for. An entry’s `seq` is the cursor: given as `after`, it goes on
 * from there another time.
 *
 * `run` is where the run’s stream is (`…/v1/runs/RUN/events`), or the answer in native to the request that began it.
 * @throws Error where the run is not there, or not ours, with `cause: { status, code }`; the signal’s reason where that aborts
 */
export async function* followRun(
  run: string | URL | Response,
  options: FollowOptions = {},
): AsyncGenerator<LogEntry, void, undefined> {
  const { after = 0, signal = new AbortController().signal, headers, credentials, onConnection } = options
  const { url, body } = await streamAt(run)
  const reading = entries(after)
  yield* unbroken(body, reading, {
    fetch: options.fetch ?? ((...asked) => fetch(...asked)),
    url: inDialect(url, reading.dialect),
    init: { ...(headers && { headers }), ...(credentials && { credentials }) },
    signal,
    onConnection,
  })
}

async function streamAt(run: string | URL | Response): Promise<{ url: string; body?: Body }> {
  if (typeof run === 'string' || 'href' in run) return { url: String(run) }
  const runId = run.headers.get('x-run-id')
  if (!run.ok || !run.body || runId === null) throw await refusal(run)
  return { url: streamOf(runId, run.url), body: run.body }
}
