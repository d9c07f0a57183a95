import { isServiceError } from '../errors.ts'
import type { RunEvent, RunSummary } from '../events/index.ts'
import type { Store } from '../log/index.ts'

/** The interval in ms at which the row of a running answer is updated. */
const RENEW_MS = 5000
/** A row that takes so long to write is written less often: in at most one part in so many of the time. */
const LARGE_ROW_MS = 50
const RENEWAL_FACTOR = 50
/** So much is read of a log to see whether its row is due. */
const NEWS_BYTES = 1024 * 1024

/**
 * When and up to which entry a running run's row was written, how long that took, and the cursor of the first change
 * that the row lacks.
 */
export type Renewal = {
  readonly userId: string
  readonly at: number
  readonly tookMs: number
  readonly seq: number
  readonly since: string | undefined
}

const AT_ONCE: ReadonlySet<RunEvent['type']> = new Set([
  'tool.returned',
  'tool.failed',
  'tool.asked',
  'tool.answered',
  'run.waiting',
  'run.resumed',
])

/** Whether a row is due: every 5 s, at each tool's end, and at once for a question or an answer. */
export async function isDue(store: Store, run: RunSummary, { at, tookMs, seq }: Renewal): Promise<boolean> {
  const sinceMs = performance.now() - at
  const pauseMs = tookMs < LARGE_ROW_MS ? 0 : tookMs * RENEWAL_FACTOR
  if (run.lastSeq === seq || sinceMs < pauseMs) return false
  return sinceMs >= RENEW_MS || hasNews(store, run, seq)
}

/** Whether a run has entries after one that its row must show at once. */
export async function hasNews(store: Store, { id }: RunSummary, seq: number): Promise<boolean> {
  try {
    const news = await store.read(id, seq, { structure: true, maxBytes: NEWS_BYTES })
    return news.some(({ event }) => AT_ONCE.has(event.type))
  } catch (error) {
    // It is larger than it should be looked at for this.
    if (isServiceError(error, 'too-large')) return true
    throw error
  }
}

/** One run of each user, then the second of each, and so on: the runs of one user make those of others wait less. */
export function inTurns(owing: ReadonlyMap<string, Renewal>): readonly (readonly [string, Renewal])[] {
  const counts = new Map<string, number>()
  const numbered = Array.from(owing, (entry) => {
    const count = counts.get(entry[1].userId) ?? 0
    counts.set(entry[1].userId, count + 1)
    return { entry, count }
  })
  return numbered.toSorted((a, b) => a.count - b.count).map(({ entry }) => entry)
}
