import { isLive, type LogEntry, type Run } from 'dragoman/events'
import {
  FORM,
  joinedEntries,
  logPruned,
  toEntry,
  unpackEntries,
  type Reading,
  type StoredEntry,
} from 'dragoman/stores'

import { storedEntry, type EntryRow } from './append-checks.ts'
import { runNotFound, type RunRow } from './run-rows.ts'
import type { Sql } from './sql.ts'

const MAX_SEQ = 2_147_483_647

/** The entries of a run with what says how to read them; one row without an entry if there is none. */
const readStatement = (which: string): string => `
SELECT r.num, r.thread_id, r.created_at, s.status, s.form, e.* FROM runs r JOIN run_states s USING (num)
LEFT JOIN LATERAL (
  SELECT seq, at, kind, part, body FROM run_entries WHERE run = r.num AND seq > $2 AND seq <= $3 ${which}
  ORDER BY seq LIMIT $4) e ON true
WHERE r.id = $1`
const READ = readStatement('')
const READ_STRUCTURE = readStatement('AND kind = 0')

type RunColumns = Pick<RunRow, 'num' | 'thread_id' | 'created_at' | 'form'> & Pick<Run, 'status'>
type EntryColumns = RunColumns & EntryRow
type FoundRow = EntryColumns | (RunColumns & { readonly seq: null })

function isEntry(row: FoundRow): row is EntryColumns {
  return row.seq !== null
}

export async function readLog(
  sql: Sql,
  runId: string,
  after: number,
  what: Reading = {},
): Promise<LogEntry[]> {
  const { limit = 1000, structure, joined } = what
  const to = Math.min(what.to ?? MAX_SEQ, MAX_SEQ)
  const found = await sql.all<FoundRow>(
    structure ? READ_STRUCTURE : READ,
    runId,
    Math.min(after, MAX_SEQ),
    to,
    limit,
  )
  const [run] = found
  if (!run) throw runNotFound(runId)
  if (run.form === FORM.pruned) throw logPruned({ id: runId, threadId: run.thread_id })
  const rows = found.filter(isEntry)
  const pieces = structure || isLive(run) ? [] : await readPieces(sql, run.num, { after, to, limit })
  // Entries that are packed between the two queries are in both.
  const bySeq = new Map([...rows.map(storedEntry), ...pieces].map((row) => [row.seq, row]))
  const all = [...bySeq.values()].toSorted((a, b) => a.seq - b.seq).slice(0, limit)
  const entries = all.map((row) => toEntry(runId, run.created_at, row))
  return joined ? joinedEntries(entries) : entries
}

type Range = { readonly after: number; readonly to: number; readonly limit: number }

/** Packed entries after one seq, up to another: at most `limit` of them, the first. */
async function readPieces(sql: Sql, num: number, { after, to, limit }: Range): Promise<StoredEntry[]> {
  const found: StoredEntry[] = []
  for (let place = after; found.length < limit;) {
    const [piece] = await sql.all<{ last: number; body: Uint8Array }>(
      'SELECT last, body FROM run_pieces WHERE run = $1 AND last > $2 AND first <= $3 ORDER BY last LIMIT 1',
      num,
      Math.min(place, MAX_SEQ),
      to,
    )
    if (!piece) break
    found.push(...unpackEntries(piece.body).filter(({ seq }) => seq > after && seq <= to))
    place = piece.last
  }
  return found.slice(0, limit)
}
