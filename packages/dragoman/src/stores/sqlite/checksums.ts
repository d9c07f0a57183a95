import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'

import { ServiceError } from '../../errors.ts'
import type { StoredEntry } from '../rows/index.ts'

/** A row with the checksum that was stored with it. Rows of earlier versions have none. */
export type CheckedEntry = StoredEntry & { readonly checksum: number | null }

/**
 * The checksum of an entry: of its contents, begun with a number that each of its other columns changes. One text of
 * all columns would cost five times as much.
 */
export function entryChecksum({ seq, at, kind, part, body }: StoredEntry): number {
  const partNumber = typeof part === 'number' ? part : crc32(part ?? '')
  const start =
    Math.imul(seq, 0x9e3779b1) ^
    Math.imul(at, 0x85ebca6b) ^
    Math.imul(kind, 0xc2b2ae35) ^
    Math.imul(partNumber, 0x27d4eb2f)
  return crc32(body, start >>> 0)
}

/** The rows, if each is as it was written. @throws ServiceError `damaged` that names the first other one */
export function requireIntact(runId: string, rows: readonly CheckedEntry[]): readonly CheckedEntry[] {
  const damaged = rows.find((row) => row.checksum !== null && row.checksum !== entryChecksum(row))
  if (damaged) throw damagedError(runId, damaged.seq)
  return rows
}

/** The packed entries, if they are as they were written. @throws ServiceError `damaged` */
export function requireIntactPiece(
  runId: string,
  {
    first,
    body,
    checksum,
  }: { readonly first: number; readonly body: Uint8Array; readonly checksum: number | null },
): Uint8Array {
  if (checksum !== null && checksum !== crc32(body)) throw damagedError(runId, first)
  return body
}

/** The runs whose stored logs differ from what was written, each once. It reads all of them. */
export function findDamagedRuns(sqlite: DatabaseSync): readonly string[] {
  const damaged = new Set<unknown>()
  // A file of an earlier version has no tail.
  const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE name IN ('run_entries', 'run_tail')")
  for (const { name } of tables.all()) {
    const entries = sqlite.prepare(
      `SELECT runs.id, seq, at, kind, part, e.body, checksum FROM ${String(name)} e JOIN runs ON num = run
       WHERE checksum IS NOT NULL`,
    )
    for (const row of entries.iterate() as Iterable<CheckedEntry & { readonly id: string }>)
      if (row.checksum !== entryChecksum(row)) damaged.add(row.id)
  }
  const pieces = sqlite.prepare(
    'SELECT id, p.body, checksum FROM run_pieces p JOIN runs ON num = run WHERE checksum IS NOT NULL',
  )
  for (const { id, body, checksum } of pieces.iterate())
    if (checksum !== crc32(body as Uint8Array)) damaged.add(id)
  return [...damaged].map(String)
}

function damagedError(runId: string, seq: number): ServiceError {
  return new ServiceError(
    'damaged',
    `Entry ${seq} of the log of ${runId} is damaged in the database. Restore a backup, or delete the conversation.`,
    { details: { runId, seq } },
  )
}
