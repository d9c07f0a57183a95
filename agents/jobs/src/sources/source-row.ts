import type { Selectable } from 'kysely'

import type { Json } from 'dragoman/events'
import type { SourceRow } from '../tables.ts'
import { nextRun } from './schedule.ts'
import { identityOf, type Settings, type Source } from './source.ts'

/** What somebody writes down of a source. */
export type NewSource = {
  readonly name: string
  readonly settings: Settings
  readonly secret: string | null
  readonly schedule: string | null
  readonly enabled: boolean
}

/** What came of a sync: nothing, or why it failed and when to try again. */
export type Outcome = { readonly at: Date } & (
  | { readonly error?: never }
  | { readonly error: string; readonly failures: number; readonly retryAt: string }
)

/** The columns that tell what somebody has written down. */
export function columns({ name, settings, secret, schedule, enabled }: NewSource, now: Date) {
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

/** The columns of a source that has done nothing yet. */
export function fresh(now: Date) {
  return { last_synced_at: null, last_error: null, created_at: now.toISOString() }
}

/** Reads a row. The password of a source in config.yaml stays there: it is among `secrets`, by its identity. */
export function sourceOf(row: Selectable<SourceRow>, secrets: ReadonlyMap<string, string | null>): Source {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    settings: JSON.parse(row.settings) as Settings,
    secret: row.configured === 1 ? (secrets.get(row.identity) ?? null) : row.secret,
    schedule: row.schedule,
    enabled: row.enabled === 1,
    configured: row.configured === 1,
    state: JSON.parse(row.state) as Json,
    failures: row.failures,
    createdAt: row.created_at,
    lastSyncedAt: row.last_synced_at,
    lastError: row.last_error,
    dueAt: row.due_at,
  }
}

/** The columns that tell what came of a sync. */
export function outcomeColumns(outcome: Outcome, schedule: string | null) {
  if (outcome.error !== undefined) {
    return {
      last_error: outcome.error,
      failures: outcome.failures,
      due_at: schedule === null ? null : outcome.retryAt,
    }
  }
  return {
    last_error: null,
    failures: 0,
    last_synced_at: outcome.at.toISOString(),
    due_at: schedule === null ? null : nextRun(schedule, outcome.at),
  }
}
