import { nanoid } from 'nanoid'

import type { Json } from '../events/index.ts'
import type { ConversationRow } from './tables.ts'

/** A conversation. `clientId` is the name from its client. Times are ISO 8601. */
export type Thread = {
  readonly id: string
  readonly userId: string
  readonly agent: string
  readonly clientId?: string
  readonly title?: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly metadata: { readonly [key: string]: Json }
  readonly archived: boolean
  /** The last message of the chosen path, if the thread has messages. */
  readonly chosen?: string
}

export type NewThread = {
  readonly userId: string
  readonly agent: string
  readonly name?: string | undefined
  readonly metadata?: Thread['metadata'] | undefined
}

/** The row of a thread without messages. */
export function newRow({ userId, agent, name, metadata }: NewThread): ConversationRow {
  const now = new Date().toISOString()
  return {
    id: `conv_${nanoid(12)}`,
    agent_id: agent,
    user_id: userId,
    client_id: name ?? null,
    title: null,
    created_at: now,
    updated_at: now,
    metadata: JSON.stringify(metadata ?? {}),
    title_by: null,
    archived_at: null,
    chosen_id: null,
    bytes: 0,
    request_bytes: 0,
  }
}

export function toThread(row: ConversationRow): Thread {
  return {
    id: row.id,
    userId: row.user_id,
    agent: row.agent_id,
    ...(row.client_id !== null && { clientId: row.client_id }),
    ...(row.title !== null && { title: row.title }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    metadata: JSON.parse(row.metadata) as Thread['metadata'],
    archived: row.archived_at !== null,
    ...(row.chosen_id !== null && { chosen: row.chosen_id }),
  }
}
