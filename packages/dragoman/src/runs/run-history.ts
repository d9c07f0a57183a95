import {
  emptyMessage,
  fold,
  type AssistantMessage,
  type LogEntry,
  type Run,
  type RunEvent,
} from '../events/index.ts'
import type { Store } from '../log/index.ts'
import { workedMs } from './deadline.ts'

/** What a run's log says to the process that continues the run. */
export type Past = {
  readonly events: readonly RunEvent[]
  /** The last entry's number. */
  readonly last: number
  readonly message: AssistantMessage
  /** How long the run has worked. */
  readonly workedMs: number
}

/** A run's log as it grows: no entry is read twice. */
export interface RunHistory {
  /** Reads on to the log's end. Returns the new entries. */
  advance(): Promise<readonly LogEntry[]>
  /**
   * What the log says as far as it was read; nothing before that. `pending` are messages of the user that the engine
   * has yet to read: they are left out, as their place in the log would make them look read.
   */
  past(pending?: ReadonlySet<string>): Past | undefined
}

export function createRunHistory(run: Run, store: Store): RunHistory {
  const all: LogEntry[] = []
  let whole: Past | undefined
  return {
    async advance() {
      const what = { limit: Number.MAX_SAFE_INTEGER, joined: true } as const
      const entries = await store.read(run.id, all.at(-1)?.seq ?? 0, what)
      all.push(...entries)
      whole = undefined
      return entries
    },
    past(pending = new Set()) {
      if (pending.size === 0) return (whole ??= pastOf(run, all, all))
      const isRead = ({ event }: LogEntry): boolean =>
        event.type !== 'user.joined' || !pending.has(event.messageId)
      return pastOf(run, all, all.filter(isRead))
    },
  }
}

function pastOf(run: Run, all: readonly LogEntry[], entries: readonly LogEntry[]): Past | undefined {
  const last = all.at(-1)?.seq
  if (last === undefined) return undefined
  const empty: AssistantMessage = emptyMessage(run.messageId)
  return {
    events: entries.map(({ event }) => event),
    last,
    message: entries.reduce((message, { event }) => fold(message, event), empty),
    workedMs: workedMs(all),
  }
}
