import { isLive, type LogEntry } from '../../events/index.ts'
import { joinedEntries, logPruned, type Reading } from '../../log/index.ts'
import { fitting, FORM, toEntry, toState, type StoredEntry } from '../rows/index.ts'
import { requireIntact, type CheckedEntry } from './checksums.ts'
import { readPieces } from './packed-logs.ts'
import { requireState } from './run-states.ts'
import type { Sql } from './sql-port.ts'

type SizedEntry = CheckedEntry & { readonly bytes: number }

const rowsOf = (table: string): string =>
  `SELECT seq, at, kind, part, CASE WHEN octet_length(body) <= ? THEN body ELSE '' END AS body,
   octet_length(body) AS bytes, checksum FROM ${table} WHERE run = ? AND seq > ? AND seq <= ?`
/** In one statement: between two, another process may move rows. */
const BOTH_TABLES = `${rowsOf('run_entries')} UNION ALL ${rowsOf('run_tail')}`

/** The entries of a run. @throws ServiceError as `Store.read` */
export function read(sql: Sql, runId: string, after: number, what: Reading = {}): LogEntry[] {
  const state = requireState(sql, runId)
  const { num, created_at, form } = state
  if (form === FORM.pruned) throw logPruned({ id: runId, threadId: state.thread_id })
  const { to = Number.MAX_SAFE_INTEGER, limit = 1000, structure, joined, maxBytes = Infinity } = what
  const range = [Math.min(maxBytes, Number.MAX_SAFE_INTEGER), num, after, to]
  let size = 0
  // A body that does not fit alone stays in the file.
  const rows = sql.until<SizedEntry>(
    ({ bytes }) => (size += bytes) > maxBytes,
    `${structure ? `${rowsOf('run_entries')} AND kind = 0` : BOTH_TABLES} ORDER BY seq LIMIT ?`,
    ...(structure ? range : [...range, ...range]),
    limit,
  )
  const packedRows =
    structure || isLive(toState(state))
      ? []
      : readPieces(sql, { id: runId, num }, { after, to, limit, maxBytes })
  requireIntact(
    runId,
    rows.filter(({ bytes }) => bytes <= maxBytes),
  )
  const sizes = new Map(rows.map(({ seq, bytes }) => [seq, bytes]))
  const all: readonly StoredEntry[] =
    packedRows.length === 0 ? rows : [...rows, ...packedRows].toSorted((a, b) => a.seq - b.seq)
  const bytesOf = ({ seq, body }: StoredEntry): number => sizes.get(seq) ?? Buffer.byteLength(body)
  const entries = fitting(all.slice(0, limit), maxBytes, bytesOf).map((row) =>
    toEntry(runId, created_at, row),
  )
  return joined ? joinedEntries(entries) : entries
}
