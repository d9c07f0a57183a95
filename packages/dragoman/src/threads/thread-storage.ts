import { sql, type QueryExecutorProvider } from 'kysely'

import type { Database } from '../database/index.ts'
import type { Run } from '../events/index.ts'
import type { ConversationRow, MessageRow, ThreadDatabase } from './tables.ts'

/** What the server says of the threads that a user creates and stores. */
export interface ThreadStorage {
  /**
   * Called before a thread is created without a run, with the bytes that it takes.
   * @throws ServiceError `rate-limited`, or `storage-full` if the user has no room for them
   */
  mayCreate(userId: string, bytes: number): Promise<void>
  /** Called before a row of a thread changes without a run. @throws ServiceError `rate-limited` */
  mayChange(userId: string): Promise<void>
  /** Counts bytes that a transaction adds or removes. It comes last in the transaction. */
  count(trx: QueryExecutorProvider, userId: string, bytes: number): Promise<void>
  /** Replaces the count of a user by a sum. While it is taken, nothing else of the user is counted. */
  recount(userId: string, sum: (trx: Database) => Promise<number>): Promise<void>
  /** Called once a run has rows, so what was reserved for it counts no longer. */
  settle(userId: string, runId: string): void
}

/** Nothing is limited or counted. */
export const unlimitedStorage: ThreadStorage = {
  mayCreate: async () => undefined,
  mayChange: async () => undefined,
  count: async () => undefined,
  recount: async () => undefined,
  settle: () => undefined,
}

/** What a row takes besides its texts, with its rows in the indexes. */
const ROW_BYTES = 500

type SizedColumns = Pick<MessageRow, 'role' | 'content' | 'reasoning' | 'tool_calls' | 'parts'>

/** The bytes of a message. Those of an answer count twice, because the run's log has them too. */
export function messageBytes({ role, content, reasoning, tool_calls: calls, parts }: SizedColumns): number {
  const logged = role === 'assistant' ? 2 : 1
  return ROW_BYTES + size(content) + size(reasoning) + size(calls) + logged * size(parts)
}

function size(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text)
}

/** The same in SQL, which reads no text for it. */
export const MESSAGE_BYTES = sql<number>`${sql.lit(ROW_BYTES)} + octet_length(content)
  + coalesce(octet_length(reasoning), 0) + coalesce(octet_length(tool_calls), 0)
  + octet_length(parts) * CASE WHEN role = 'assistant' THEN 2 ELSE 1 END`

/** A thread that is created without a run counts itself: rows that no message is in take room too. */
export function asCounted(row: ConversationRow): ConversationRow {
  const bytes = ROW_BYTES + size(row.client_id) + size(row.title) + size(row.metadata)
  return { ...row, bytes, request_bytes: bytes }
}

/** What a run stores besides messages: what was asked. */
export function requestBytes(request: Run['request']): number {
  return Buffer.byteLength(JSON.stringify(request))
}

type ThreadGrowth = {
  readonly bytes: number
  /** Those of the bytes that are no messages. */
  readonly request?: number
  /** Other columns of the thread that change at the same time. */
  readonly change?: Partial<ConversationRow>
}

/** Adds bytes to a thread and to its user. */
export async function addThreadBytes(
  trx: ThreadDatabase,
  storage: ThreadStorage,
  { id, user_id: userId }: Pick<ConversationRow, 'id' | 'user_id'>,
  { bytes, request = 0, change }: ThreadGrowth,
): Promise<void> {
  if (bytes === 0 && !change) return
  await trx
    .updateTable('conversations')
    .set(({ ref }) => ({
      ...change,
      bytes: sql`${ref('bytes')} + ${bytes}`,
      request_bytes: sql`${ref('request_bytes')} + ${request}`,
    }))
    .where('id', '=', id)
    .execute()
  await storage.count(trx, userId, bytes)
}
