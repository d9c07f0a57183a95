import { isStructural, type LogEntry, type NewRun } from '../../events/index.ts'
import { joinedEntries, logPruned, type Reading } from '../../log/index.ts'
import { fitting, toColumns } from '../rows/index.ts'

type Log = { readonly run: NewRun; readonly log: readonly LogEntry[]; readonly pruned: boolean }

/** Entries of a log after a place. */
export function readLog({ run, log, pruned }: Log, after: number, what: Reading = {}): LogEntry[] {
  if (pruned) throw logPruned(run)
  const { to = log.length, limit = 1000, structure, joined, maxBytes = Infinity } = what
  const entries = log.slice(after, to)
  const first = (structure ? entries.filter(({ event }) => isStructural(event)) : entries).slice(0, limit)
  const found = maxBytes === Infinity ? first : first.slice(0, countFitting(run.id, first, maxBytes))
  return joined ? joinedEntries(found) : found
}

function countFitting(runId: string, entries: readonly LogEntry[], maxBytes: number): number {
  const rows = entries.map(({ event }) => toColumns(runId, event))
  return fitting(rows, maxBytes, ({ body }) => Buffer.byteLength(body)).length
}
