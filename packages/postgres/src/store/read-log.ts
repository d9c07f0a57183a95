import { isLive, type LogEntry, type Run } from 'dragoman/events'
import {
  exceeds,
  fitting,
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
const readStatement = (which: string, body = 'body'): string => `
SELECT r.num, r.thread_id, r.created_at, s.status, s.form, e.* FROM runs r JOIN run_states s USING (num)
LEFT JOIN LATERAL (
  SELECT seq, at, kind, part, ${body} FROM (
    SELECT seq, at, kind, part, body FROM run_entries WHERE run = r.num AND seq > $2 AND seq <= $3 ${which}
    ORDER BY seq LIMIT $4) found ORDER BY seq) e ON true
WHERE r.id = $1`
/** Bodies beyond so many bytes stay in the database. */
const FITTING =
  'octet_length(body) AS bytes, CASE WHEN sum(octet_length(body)) OVER (ORDER BY seq) <= $5 THEN body END AS body'
const STATEMENTS = {
  all: { whole: readStatement(''), fitting: readStatement('', FITTING) },
  structure: { whole: readStatement('AND kind = 0'), fitting: readStatement('AND kind = 0', FITTING) },
}

type RunColumns = Pick<RunRow, 'num' | 'thread_id' | 'created_at' | 'form'> & Pick<Run, 'status'>
/** `bytes`: the size of the body, which is null if it does not fit. */
type EntryColumns = RunColumns &
  Omit<EntryRow, 'body'> & { readonly body: string | null; readonly bytes?: number }
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
  const { limit = 1000, structure, joined, maxBytes = Infinity } = what
  const to = Math.min(what.to ?? MAX_SEQ, MAX_SEQ)
  const statements = STATEMENTS[structure ? 'structure' : 'all']
  const values = [runId, Math.min(after, MAX_SEQ), to, limit]
  const found =
    maxBytes === Infinity
      ? await sql.all<FoundRow>(statements.whole, ...values)
      : await sql.all<FoundRow>(statements.fitting, ...values, maxBytes)
  const [run] = found
  if (!run) throw runNotFound(runId)
  if (run.form === FORM.pruned) throw logPruned({ id: runId, threadId: run.thread_id })
  const rows = found.filter(isEntry)
  const sizes = new Map(rows.map(({ seq, bytes }) => [seq, bytes]))
  const pieces =
    structure || isLive(run) ? [] : await readPieces(sql, run.num, { after, to, limit, maxBytes })
  // Entries that are packed between the two queries are in both.
  const stored = rows.map(({ body, ...row }) => storedEntry({ ...row, body: body ?? '' }))
  const bySeq = new Map([...stored, ...pieces].map((row) => [row.seq, row]))
  const all = [...bySeq.values()].toSorted((a, b) => a.seq - b.seq).slice(0, limit)
  const bytesOf = ({ seq, body }: StoredEntry): number => sizes.get(seq) ?? Buffer.byteLength(body)
  const entries = fitting(all, maxBytes, bytesOf).map((row) => toEntry(runId, run.created_at, row))
  return joined ? joinedEntries(entries) : entries
}

type Range = Readonly<Record<'after' | 'to' | 'limit' | 'maxBytes', number>>

/**
 * Packed entries after one seq, up to another: at most `limit` of them, the first, and no piece after the one that
 * exceeds `maxBytes`.
 */
async function readPieces(
  sql: Sql,
  num: number,
  { after, to, limit, maxBytes }: Range,
): Promise<StoredEntry[]> {
  const found: StoredEntry[] = []
  const isOver = exceeds(maxBytes)
  for (let place = after, isFull = false; found.length < limit && !isFull;) {
    const [piece] = await sql.all<{ last: number; body: Uint8Array }>(
      'SELECT last, body FROM run_pieces WHERE run = $1 AND last > $2 AND first <= $3 ORDER BY last LIMIT 1',
      num,
      Math.min(place, MAX_SEQ),
      to,
    )
    if (!piece) break
    const rows = unpackEntries(piece.body).filter(({ seq }) => seq > after && seq <= to)
    found.push(...rows)
    isFull = rows.some(isOver)
    place = piece.last
  }
  return found.slice(0, limit)
}
