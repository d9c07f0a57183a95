import { isServiceError } from '../errors.ts'
import {
  emptyMessage,
  fold,
  type AssistantMessage,
  type LogEntry,
  type Run,
  type RunEvent,
} from '../events/index.ts'
import { eventSize, type Store } from '../log/index.ts'
import { workedMs } from './deadline.ts'
import { runTooLarge } from './run-budget.ts'

const PAGE_ENTRIES = 1000

/** What a run's log says to the process that continues the run. */
export type Past = {
  readonly events: readonly RunEvent[]
  /** The last entry's number. */
  readonly last: number
  /** The size of all entries. */
  readonly bytes: number
  readonly message: AssistantMessage
  /** How long the run has worked. */
  readonly workedMs: number
}

/** A run's log as it grows: no entry is read twice. */
export interface RunHistory {
  /** Reads on to the log's end. Returns the new entries. @throws ServiceError `too-large` */
  advance(): Promise<readonly LogEntry[]>
  /**
   * What the log says as far as it was read; nothing before that. `pending` are messages of the user that the engine
   * has yet to read: they are left out, as their place in the log would make them look read.
   */
  past(pending?: ReadonlySet<string>): Past | undefined
}

/**
 * Reads a log page by page, and no more of it than a run may hold: what has grown too large under another limit, or
 * by a fault, must not fill the memory of one process after the other.
 */
export function createRunHistory(run: Run, store: Pick<Store, 'read'>, maxBytes: number): RunHistory {
  const all: LogEntry[] = []
  let bytes = 0
  let whole: Past | undefined
  const readPage = async (): Promise<LogEntry[]> => {
    const what = { limit: PAGE_ENTRIES, maxBytes: maxBytes - bytes, joined: true } as const
    const page = await store.read(run.id, all.at(-1)?.seq ?? 0, what).catch((error: unknown) => {
      throw isServiceError(error, 'too-large') ? runTooLarge(maxBytes) : error
    })
    for (const { event } of page) bytes += eventSize(event)
    if (bytes > maxBytes) throw runTooLarge(maxBytes)
    all.push(...page)
    return page
  }
  return {
    async advance() {
      const before = all.length
      while ((await readPage()).length > 0) whole = undefined
      // The next entry alone is larger than what is left.
      if ((all.at(-1)?.seq ?? 0) < run.lastSeq) throw runTooLarge(maxBytes)
      return all.slice(before)
    },
    past(pending = new Set()) {
      if (pending.size === 0) return (whole ??= pastOf(run, all, { entries: all, bytes }))
      const isRead = ({ event }: LogEntry): boolean =>
        event.type !== 'user.joined' || !pending.has(event.messageId)
      return pastOf(run, all, { entries: all.filter(isRead), bytes })
    },
  }
}

function pastOf(
  run: Run,
  all: readonly LogEntry[],
  { entries, bytes }: { readonly entries: readonly LogEntry[]; readonly bytes: number },
): Past | undefined {
  const last = all.at(-1)?.seq
  if (last === undefined) return undefined
  const empty: AssistantMessage = emptyMessage(run.messageId)
  return {
    events: entries.map(({ event }) => event),
    last,
    bytes,
    message: entries.reduce((message, { event }) => fold(message, event), empty),
    workedMs: workedMs(all),
  }
}
