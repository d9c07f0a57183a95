import { ServiceError } from 'dragoman/errors'
import type { LogEntry } from 'dragoman/events'
import { toEntry, type StoredEntry } from 'dragoman/stores'

import { partOf, storedPart, type RunAppend } from './append-statement.ts'
import type { KnownRun } from './known-runs.ts'
import type { Sql } from './sql.ts'

/** Whether the very rows of an append are in the log. */
export async function findWritten(sql: Sql, { num, entries }: RunAppend): Promise<boolean> {
  const rows = await sql.all<EntryRow>(
    'SELECT seq, at, kind, part, body FROM run_entries WHERE run = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq',
    num,
    entries[0]?.seq,
    entries.at(-1)?.seq,
  )
  return (
    rows.length === entries.length &&
    entries.every(({ at, kind, part, body }, index) => {
      const row = rows[index]
      return row?.at === at && row.kind === kind && row.part === storedPart(part) && row.body === body
    })
  )
}

/** A row of `run_entries` as the database gives it. */
export type EntryRow = Omit<StoredEntry, 'part'> & { readonly part: string | null }

export function storedEntry({ part, ...row }: EntryRow): StoredEntry {
  return { ...row, part: partOf(part) }
}

/** The structural entries of a log. */
export async function readQuestions(sql: Sql, { num, state, createdAt }: KnownRun): Promise<LogEntry[]> {
  const rows = await sql.all<EntryRow>(
    'SELECT seq, at, kind, part, body FROM run_entries WHERE run = $1 AND kind = 0 ORDER BY seq',
    num,
  )
  return rows.map((row) => toEntry(state.runId, createdAt, storedEntry(row)))
}

/** A failover to a standby that lagged has lost entries that this process has shown. It must not write after them. */
export function fencedByLoss(runId: string): ServiceError {
  return new ServiceError('fenced', `Entries of run ${runId} that were committed are gone from the database.`)
}
