import type { Selectable } from 'kysely'

import type { Json } from 'dragoman/events'
import type { SourceRow } from '../tables.ts'
import { nextRun } from './schedule.ts'
import { identityOf, type NewSource, type Settings, type Source } from './source.ts'

/** The columns that a user sets. */
export function sourceColumns({ name, settings, secret, schedule, enabled }: NewSource, now: Date) {
  return {
    name,
    kind: settings.kind,
    settings: JSON.stringify(settings),
    identity: identityOf(settings),
    secret,
    schedule,
    enabled: enabled ? (1 as const) : (0 as const),
    due_at: schedule === null ? null : nextRun(schedule, now),
  }
}

/** The columns of a source that was never synced. */
export function freshColumns(now: Date) {
  return { last_synced_at: null, last_error: null, created_at: now.toISOString() }
}

/** Reads a row. `secrets` holds the passwords of config.yaml, which are not in the database, by identity. */
export function toSource(row: Selectable<SourceRow>, secrets: ReadonlyMap<string, string | null>): Source {
  const isConfigured = row.configured === 1
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    settings: JSON.parse(row.settings) as Settings,
    secret: isConfigured ? (secrets.get(row.identity) ?? null) : row.secret,
    schedule: row.schedule,
    enabled: row.enabled === 1,
    configured: isConfigured,
    state: JSON.parse(row.state) as Json,
    failures: row.failures,
    createdAt: row.created_at,
    lastSyncedAt: row.last_synced_at,
    lastError: row.last_error,
    dueAt: row.due_at,
  }
}
