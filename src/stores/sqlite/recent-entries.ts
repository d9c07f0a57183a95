import { isStructure, type LogEntry } from '../../events/index.ts'
import type { Reading } from '../../log/index.ts'

/** Entries kept of one run, and runs kept, at most. */
const ENTRIES = 512
const RUNS = 512

/**
 * The ends of the logs that this process has just written, so that its readers need not ask the log's thread for what went by a
 * moment ago. It is believed only while the file is watched for other writers, and forgotten when one has written.
 */
export function recentEntries() {
  const tails = new Map<string, LogEntry[]>()
  let trusted = false

  return {
    trust(believe: boolean): void {
      trusted = believe
      tails.clear()
    },
    clear: () => tails.clear(),

    add(runId: string, entries: readonly LogEntry[]): void {
      if (!trusted) return
      const tail = tails.get(runId)
      if (tail && tail.at(-1)?.seq === (entries[0]?.seq ?? 0) - 1) {
        tail.push(...entries)
        if (tail.length > ENTRIES) tail.splice(0, tail.length - ENTRIES / 2)
        return
      }
      tails.delete(runId)
      tails.set(runId, [...entries])
      for (const oldest of tails.keys()) {
        if (tails.size <= RUNS) break
        tails.delete(oldest)
      }
    },

    /** The entries after a place, or undefined where the log itself must be asked. */
    read(
      runId: string,
      after: number,
      { to, limit = 1000, structure }: Reading = {},
    ): LogEntry[] | undefined {
      const tail = tails.get(runId)
      const first = tail?.[0]
      if (!tail || !first || after < first.seq - 1) return undefined
      const from = tail.slice(after - first.seq + 1)
      const upTo = to === undefined ? from : from.filter(({ seq }) => seq <= to)
      return (structure ? upTo.filter(({ event }) => isStructure(event)) : upTo).slice(0, limit)
    },
  }
}
