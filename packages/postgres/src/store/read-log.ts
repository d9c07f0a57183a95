import { isLive, type LogEntry } from 'dragoman/events'
import {
  FORM,
  joinedEntries,
  logPruned,
  toEntry,
  toState,
  unpackEntries,
  type Reading,
  type StoredEntry,
} from 'dragoman/stores'

import { storedEntry, type EntryRow } from './append-checks.ts'
import { requireState } from './run-rows.ts'
import type { Sql } from './sql.ts'

const MAX_SEQ = 2_147_483_647

export async function readLog(
  sql: Sql,
  runId: string,
  after: number,
  what: Reading = {},
): Promise<LogEntry[]> {
  const state = await requireState(sql, runId)
  if (state.form === FORM.pruned) throw logPruned({ id: runId, threadId: state.thread_id })
  const { limit = 1000, structure, joined } = what
  const to = Math.min(what.to ?? MAX_SEQ, MAX_SEQ)
  const rows = await sql.all<EntryRow>(
    `SELECT seq, at, kind, part, body FROM run_entries WHERE run = $1 AND seq > $2 AND seq <= $3
     ${structure ? 'AND kind = 0' : ''} ORDER BY seq LIMIT $4`,
    state.num,
    Math.min(after, MAX_SEQ),
    to,
    limit,
  )
  const hasPieces = !structure && !isLive(toState(state))
  const pieces = hasPieces ? await readPieces(sql, state.num, { after, to, limit }) : []
  // Entries that are packed between the two queries are in both.
  const bySeq = new Map([...rows.map(storedEntry), ...pieces].map((row) => [row.seq, row]))
  const all = [...bySeq.values()].toSorted((a, b) => a.seq - b.seq).slice(0, limit)
  const entries = all.map((row) => toEntry(runId, state.created_at, row))
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
