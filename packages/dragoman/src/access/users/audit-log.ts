import { nanoid } from 'nanoid'

import type { Database } from '../../database/index.ts'
import { userTables } from './tables.ts'

/** Who looked at what, and when (ISO 8601). `subject`: a run, or the hash of a user. */
export type AuditEntry = {
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
}

/** What operators have looked at that is their users'. */
export interface AuditLog {
  add(entry: Omit<AuditEntry, 'at'>): Promise<void>
  /** The newest first. */
  list(limit: number): Promise<AuditEntry[]>
}

export function createAuditLog(db: Database): AuditLog {
  const tables = userTables(db)
  return {
    async add(entry) {
      const row = { id: `aud_${nanoid(12)}`, at: new Date().toISOString(), ...entry }
      await tables.insertInto('audit_entries').values(row).execute()
    },
    list: (limit) =>
      tables
        .selectFrom('audit_entries')
        .select(['at', 'actor', 'action', 'subject'])
        .orderBy('at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),
  }
}
