import { setImmediate as turn } from 'node:timers/promises'

import { fillsPiece, FORM, MAX_PACKED_BYTES, MAX_PIECE_ENTRIES, packEntries } from 'dragoman/stores'
import type { StoredEntry } from 'dragoman/stores'

import { storedEntry, type EntryRow } from './append-checks.ts'
import { ENDED } from './run-rows.ts'
import type { Sql } from './sql.ts'

/** What one transaction packs at most. Then the logs of others have their turn. */
const MAX_RUNS = 50
const MAX_ENTRIES = 2000
const MAX_BYTES = 256 * 1024

/** What goes into pieces. */
const PACKABLE = `kind <> 0 AND octet_length(body) <= ${MAX_PACKED_BYTES}`

/**
 * The runs that ended first and that no other node packs, while they are short together. Runs of more than that are
 * packed in several transactions.
 */
const NEXT_RUNS = `
SELECT num FROM (
  SELECT num, last_at, sum(last_seq) OVER (ORDER BY last_at, num) - last_seq AS before FROM (
    SELECT num, last_at, last_seq FROM run_states WHERE ${ENDED} AND form = ${FORM.written} AND last_at < $1
    ORDER BY last_at LIMIT ${MAX_RUNS} FOR UPDATE SKIP LOCKED) free) sized
WHERE before < ${MAX_ENTRIES} ORDER BY last_at, num`

/** The next entries of these runs. `total` counts also those that do not fit any more. */
const NEXT_ENTRIES = `
SELECT run, seq, at, kind, part, body, total FROM (
  SELECT *, count(*) OVER () AS total, row_number() OVER places AS number,
    sum(octet_length(body)) OVER places - octet_length(body) AS bytes_before
  FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (num, place), LATERAL (
    SELECT run, seq, at, kind, part, body FROM run_entries WHERE run = num AND ${PACKABLE}
      AND seq > coalesce((SELECT max(last) FROM run_pieces WHERE run = num), 0)
    ORDER BY seq LIMIT ${MAX_ENTRIES + 1}) entries
  WINDOW places AS (ORDER BY place, seq)) numbered
WHERE number <= ${MAX_ENTRIES} AND bytes_before < ${MAX_BYTES} ORDER BY number`

/** Puts pieces in the place of their entries. $5: the runs of which nothing else is to be packed. */
const WRITE = `
WITH pieces AS (
  INSERT INTO run_pieces (run, first, last, body)
  SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::bytea[])),
packed AS (
  DELETE FROM run_entries USING unnest($1::bigint[], $2::integer[], $3::integer[]) AS piece (num, first, last)
  WHERE run = num AND seq BETWEEN first AND last AND ${PACKABLE})
UPDATE run_states SET form = ${FORM.packed} WHERE num = ANY ($5::bigint[])`

type Row = EntryRow & { readonly run: number; readonly total: number }
type Piece = { readonly run: number; readonly entries: readonly StoredEntry[] }

/** Packs logs of runs that ended before a time. Returns whether there may be more. */
export function packNext(sql: Sql, before: number): Promise<boolean> {
  return sql.transaction(async (query) => {
    const runs = (await query<{ num: number }>(NEXT_RUNS, before)).map(({ num }) => num)
    if (runs.length === 0) return false
    const rows = await query<Row>(NEXT_ENTRIES, runs)
    const pieces = toPieces(rows)
    const bodies: Buffer[] = []
    for (const { entries } of pieces) {
      bodies.push(Buffer.from(packEntries(entries)))
      await turn()
    }
    const isCut = rows.length < (rows[0]?.total ?? 0)
    await query(
      WRITE,
      pieces.map(({ run }) => run),
      pieces.map(({ entries }) => entries[0]?.seq),
      pieces.map(({ entries }) => entries.at(-1)?.seq),
      bodies,
      isCut ? runs.slice(0, runs.indexOf(rows.at(-1)?.run ?? 0)) : runs,
    )
    return true
  })
}

/** Each piece has entries of one run, until it is full. */
function toPieces(rows: readonly Row[]): readonly Piece[] {
  const pieces: { readonly run: number; readonly entries: StoredEntry[] }[] = []
  let fills = fillsPiece()
  let isFull = false
  for (const { run, total: _, ...row } of rows) {
    let piece = pieces.at(-1)
    if (!piece || piece.run !== run || isFull || piece.entries.length >= MAX_PIECE_ENTRIES) {
      pieces.push((piece = { run, entries: [] }))
      fills = fillsPiece()
    }
    piece.entries.push(storedEntry(row))
    isFull = fills(row)
  }
  return pieces
}
