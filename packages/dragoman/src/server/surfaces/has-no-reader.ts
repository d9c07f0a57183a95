import { isLive, type RunSummary } from '../../events/index.ts'
import type { Runs } from '../../runs/index.ts'
import type { FanOut } from '../fan-out/index.ts'

/** The first reader of a run may come this long after the run's start, or the server's. */
const FIRST_READER_TIMEOUT_MS = 1000
/** A page that stops disconnects and sends its next message, which may arrive first: the wait for the disconnect. */
const HANG_UP_TIMEOUT_MS = 250

type Readers = {
  isRead(runId: string): boolean
  readonly departures: FanOut['departures']
  /** Since when readers are recorded, in ms since 1970. */
  readonly since: number
}

/**
 * Whether a run has ended or its readers have left. Waits for a reader that is about to leave, or to come first. False
 * once `signal` aborts.
 */
export async function hasNoReader(
  { id, userId, createdAt }: RunSummary,
  { isRead, departures, since }: Readers,
  runs: Pick<Runs, 'summaries'>,
  signal: AbortSignal,
): Promise<boolean> {
  const timeoutMs = isRead(id)
    ? HANG_UP_TIMEOUT_MS
    : Math.max(createdAt, since) + FIRST_READER_TIMEOUT_MS - Date.now()
  const until = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, timeoutMs))])
  while (!until.aborted && (isRead(id) || !departures.has(id))) await departures.next(id, until)
  if (signal.aborted) return false
  if (!isRead(id)) return true
  const [current] = await runs.summaries(userId, [id])
  return !current || !isLive(current)
}
