import { crc32 } from 'node:zlib'

import { isServiceError } from '../../errors.ts'
import { DETACHED_PREFIX } from '../../events/index.ts'
import type { Backlog } from '../../log/index.ts'
import {
  exceeds,
  fillsPiece,
  FORM,
  MAX_COUNTED_RUNS,
  MAX_PACKED_BYTES,
  MAX_PIECE_ENTRIES,
  packEntries,
  unpackEntries,
  type StoredEntry,
} from '../rows/index.ts'
import { requireIntact, requireIntactPiece, type CheckedEntry } from './checksums.ts'
import { dropFromTail, sweepOldTail } from './run-tail.ts'
import type { Sql } from './sql-port.ts'

/** What runs that have ended said, packed in pieces; what tells how their messages are built stays as it is. */

/** What goes into pieces. */
const PACKABLE = `kind != 0 AND octet_length(body) <= ${MAX_PACKED_BYTES}`

const ENDED = `status IN ('finished', 'failed', 'cancelled')`
/** A run of few entries counts for so many: its row is written too. */
const MIN_ENTRIES_A_RUN = 10
/** Logs that are let go of in one transaction. */
const MAX_RUNS_AT_ONCE = 20

type EndedRun = { readonly num: number; readonly id: string }

/** Packs the next piece of the run that ended first, and those of other runs while they are short together. */
export function pack(sql: Sql, before: number): boolean {
  sweepOldTail(sql, before)
  const isFull = fillsPiece()
  for (let entries = 0, full = false; entries < MAX_PIECE_ENTRIES && !full; entries += MIN_ENTRIES_A_RUN) {
    const run = sql.one<EndedRun>(
      `SELECT num, id FROM run_states JOIN runs USING (num)
       WHERE ${ENDED} AND form = ${FORM.written} AND last_at < ? ORDER BY last_at LIMIT 1`,
      before,
    )
    if (!run) return false
    const rows = intactRows(sql, run)
    const isWhole = rows.length < MAX_PIECE_ENTRIES && !rows.some(fillsPiece())
    if (isWhole) sql.change('UPDATE run_states SET form = ? WHERE num = ?', FORM.packed, run.num)
    writePiece(sql, run, rows)
    entries += rows.length
    full = rows.some(isFull)
  }
  return true
}

function writePiece(sql: Sql, run: EndedRun, rows: readonly StoredEntry[]): void {
  const [first, last] = [rows[0]?.seq, rows.at(-1)?.seq]
  if (first === undefined || last === undefined) return
  const body = packEntries(rows)
  sql.change(
    'INSERT INTO run_pieces (run, last, first, body, checksum) VALUES (?, ?, ?, ?, ?)',
    run.num,
    last,
    first,
    body,
    crc32(body),
  )
  sql.change(
    `DELETE FROM run_entries WHERE run = ? AND seq BETWEEN ? AND ? AND ${PACKABLE}`,
    run.num,
    first,
    last,
  )
}

/** The rows of the next piece; none if one of them is damaged: such a log stays as it is, and readers learn of it. */
function intactRows(sql: Sql, run: EndedRun): readonly StoredEntry[] {
  try {
    return nextRows(sql, run)
  } catch (error) {
    if (isServiceError(error, 'damaged')) return []
    throw error
  }
}

function nextRows(sql: Sql, { id, num }: EndedRun): readonly StoredEntry[] {
  const rows = sql.until<CheckedEntry>(
    fillsPiece(),
    `SELECT seq, at, kind, part, body, checksum FROM run_entries WHERE run = ? AND ${PACKABLE}
     AND seq > coalesce((SELECT max(last) FROM run_pieces WHERE run = ?), 0) ORDER BY seq LIMIT ?`,
    num,
    num,
    MAX_PIECE_ENTRIES,
  )
  return requireIntact(id, rows)
}

type Range = Readonly<Record<'after' | 'to' | 'limit' | 'maxBytes', number>>

/**
 * What is packed of a run's entries after one place, up to another: at most `limit` of them, the first, and nothing
 * after the one that exceeds `maxBytes`.
 */
export function readPieces(
  sql: Sql,
  { id, num }: { readonly id: string; readonly num: number },
  { after, to, limit, maxBytes }: Range,
): StoredEntry[] {
  const found: StoredEntry[] = []
  const isOver = exceeds(maxBytes)
  for (let place = after, isFull = false; found.length < limit && !isFull;) {
    const piece = sql.one<{ first: number; last: number; body: Uint8Array; checksum: number | null }>(
      `SELECT first, last, body, checksum FROM run_pieces
       WHERE run = ? AND last > ? AND first <= ? ORDER BY last LIMIT 1`,
      num,
      place,
      to,
    )
    if (!piece) break
    for (const row of unpackEntries(requireIntactPiece(id, piece))) {
      if (row.seq <= after || row.seq > to) continue
      found.push(row)
      isFull ||= isOver(row)
    }
    place = piece.last
  }
  return found.slice(0, limit)
}

/** Lets go of the logs of those that ended first. */
export function prune(sql: Sql, before: number, upTo?: string): boolean {
  const runs = sql.all<{ num: number }>(
    `SELECT num FROM run_states WHERE ${ENDED} AND form IN (${FORM.written}, ${FORM.packed}) AND last_at < ?
     AND changed <= ? LIMIT ?`,
    before,
    upTo === undefined ? Number.MAX_SAFE_INTEGER : Number(upTo),
    MAX_RUNS_AT_ONCE,
  )
  dropFromTail(sql, runs)
  for (const { num } of runs) {
    sql.change('DELETE FROM run_entries WHERE run = ?', num)
    sql.change('DELETE FROM run_pieces WHERE run = ?', num)
    sql.change('UPDATE run_states SET form = ? WHERE num = ?', FORM.pruned, num)
  }
  return runs.length === MAX_RUNS_AT_ONCE
}

/** What there is to pack and to let go of. */
export function backlog(sql: Sql, before: number): Backlog {
  const due = `SELECT 1 FROM run_states WHERE ${ENDED} AND form = ${FORM.written} AND last_at < ? LIMIT ?`
  const count = sql.one<{ unpacked: number }>(
    `SELECT count(*) AS unpacked FROM (${due})`,
    before,
    MAX_COUNTED_RUNS,
  )
  const oldest = (form: number): string =>
    `SELECT min(last_at) AS at FROM run_states WHERE ${ENDED} AND form = ${form}`
  const first = sql.one<{ at: number | null }>(
    `SELECT min(at) AS at FROM (${oldest(FORM.written)} UNION ALL ${oldest(FORM.packed)})`,
  )
  return { unpacked: count?.unpacked ?? 0, ...(typeof first?.at === 'number' && { oldestAt: first.at }) }
}

/** Removes runs that stand in no conversation, with all that was said in them. */
export function discard(sql: Sql, before: number): boolean {
  const runs = sql.all<{ num: number }>(
    `SELECT num FROM runs JOIN run_states USING (num) WHERE thread_id GLOB '${DETACHED_PREFIX}*' ` +
      `AND ${ENDED} AND last_at < ? LIMIT ?`,
    before,
    MAX_RUNS_AT_ONCE,
  )
  if (runs.length === 0) return false
  sql.states.forgetAll()
  sql.states.nextChange()
  dropFromTail(sql, runs)
  for (const { num } of runs) sql.change('DELETE FROM runs WHERE num = ?', num)
  return runs.length === MAX_RUNS_AT_ONCE
}
