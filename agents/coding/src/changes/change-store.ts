import { webcrypto } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import type { AgentServices } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import type { WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { changeTables, type ChangeRow } from './change-tables.ts'

/** A write of a tool. `before` is undefined if there was no file. */
export type FileWrite = {
  readonly threadId: string
  readonly place: Pick<WorkspacePath, 'path' | 'within'>
  readonly before: Uint8Array | undefined
  readonly after: Uint8Array
}

/** A file that a thread has changed, without its content. */
export type RecordedChange = Omit<ChangeRow, 'thread_id' | 'original'>

/** What the files were like that tools change, by thread. It is gone with its thread. */
export interface ChangeStore {
  /**
   * Records a write before it happens, so that it can be reverted whenever the process ends. Callers serialize the
   * writes of a file. A detached run has no thread that a person could open: nothing is recorded of it.
   */
  record(write: FileWrite): Promise<void>
  /** The changes of a thread, by path. */
  list(threadId: string): Promise<readonly RecordedChange[]>
  /** The file before the thread's first change: undefined if there was none. */
  readOriginal(threadId: string, path: string): Promise<Uint8Array | undefined>
  /** Forgets a change that is reverted. */
  forget(threadId: string, path: string): Promise<void>
  /** Deletes changes whose last write is older. */
  prune(before: Date): Promise<void>
  /** What the changes of a user's threads take. */
  storedBytes(userId: string): Promise<number>
}

/** What a row takes besides the file. */
const ROW_BYTES = 500

/** The hash of no file. */
const NO_FILE = 'none'
const COMPRESSION = { level: 1 }
const columns = [
  'path',
  'folder',
  'mode',
  'original_hash',
  'written_hash',
  'earlier_hash',
  'is_mixed',
  'changed_at',
] as const

type ChangeStoreOptions = {
  readonly now?: () => Date
  /** Writes so many bytes to the database. @throws ServiceError `unavailable` if its disk has no room for them */
  readonly write?: <T>(bytes: number, write: () => Promise<T>) => Promise<T>
  /** Refuses what a user has no storage for. */
  readonly storage?: AgentServices['storage']
}

export function createChangeStore(
  db: Database,
  { now = () => new Date(), write: writeBytes = (_, write) => write(), storage }: ChangeStoreOptions = {},
): ChangeStore {
  const tables = changeTables(db)
  const ownerOf = (threadId: string): Promise<string | undefined> => findOwner(tables, threadId)
  const select = (threadId: string) =>
    tables.selectFrom('coding_changes').select(columns).where('thread_id', '=', threadId)
  return {
    async record({ threadId, place: { path, within: folder }, before, after }) {
      const beforeHash = await hashOf(before)
      const write = { written_hash: await hashOf(after), changed_at: now().toISOString() }
      const [known] = await select(threadId).where('path', '=', path).execute()
      if (known) {
        const isMixed = known.is_mixed === 1 || !isWritten(known, beforeHash)
        await tables
          .updateTable('coding_changes')
          .set({ ...write, earlier_hash: beforeHash, is_mixed: Number(isMixed) })
          .where('thread_id', '=', threadId)
          .where('path', '=', path)
          .execute()
        return
      }
      const owner = await ownerOf(threadId)
      if (owner === undefined) return
      const original = before === undefined ? null : await promisify(gzip)(before, COMPRESSION)
      const existing = await lstat(path).catch(() => undefined)
      const mode = existing ? existing.mode & 0o777 : null
      const first = { original, mode, original_hash: beforeHash, earlier_hash: null, is_mixed: 0 }
      const row = { thread_id: threadId, path, folder, ...first, ...write }
      const bytes = original?.length ?? 0
      const insert = (): Promise<unknown> =>
        writeBytes(bytes, () => tables.insertInto('coding_changes').values(row).execute())
      await (storage?.grow(owner, ROW_BYTES + bytes, insert) ?? insert())
    },
    list: (threadId) => select(threadId).orderBy('path').execute(),
    async readOriginal(threadId, path) {
      const row = await tables
        .selectFrom('coding_changes')
        .select('original')
        .where('thread_id', '=', threadId)
        .where('path', '=', path)
        .executeTakeFirst()
      return row?.original ? promisify(gunzip)(row.original) : undefined
    },
    async forget(threadId, path) {
      await tables
        .deleteFrom('coding_changes')
        .where('thread_id', '=', threadId)
        .where('path', '=', path)
        .execute()
      const owner = await ownerOf(threadId)
      if (owner !== undefined) storage?.changed(owner)
    },
    prune: (before) => pruneChanges(tables, before.toISOString()),
    storedBytes: (userId) => sumOf(tables, userId),
  }
}

async function pruneChanges(tables: ReturnType<typeof changeTables>, before: string): Promise<void> {
  const old = tables.selectFrom('coding_changes').select('path').where('changed_at', '<', before).limit(1)
  // A write that deletes nothing would wake the log's threads too.
  if ((await old.executeTakeFirst()) === undefined) return
  await tables.deleteFrom('coding_changes').where('changed_at', '<', before).execute()
}

async function findOwner(
  tables: ReturnType<typeof changeTables>,
  threadId: string,
): Promise<string | undefined> {
  const thread = tables.selectFrom('conversations').select('user_id').where('id', '=', threadId)
  return (await thread.executeTakeFirst())?.user_id
}

async function sumOf(tables: ReturnType<typeof changeTables>, userId: string): Promise<number> {
  const stored = await tables
    .selectFrom('conversations as thread')
    .innerJoin('coding_changes as change', 'change.thread_id', 'thread.id')
    .where('thread.user_id', '=', userId)
    .select(({ fn }) => [
      fn.countAll<number>().as('rows'),
      fn.sum<number | string | null>(fn('octet_length', ['change.original'])).as('bytes'),
    ])
    .executeTakeFirst()
  return ROW_BYTES * (stored?.rows ?? 0) + Number(stored?.bytes ?? 0)
}

/** Hashes on a thread of its own: a file may have 10 MB. */
export async function hashOf(bytes: Uint8Array | undefined): Promise<string> {
  if (bytes === undefined) return NO_FILE
  const hash = await webcrypto.subtle.digest('SHA-256', bytes)
  return Buffer.from(hash).toString('base64url')
}

/** Whether a content is what the thread has put there, or what stood there before it did. */
export function isWritten(
  { written_hash: last, earlier_hash: earlier, original_hash: original, is_mixed: isMixed }: RecordedChange,
  hash: string,
): boolean {
  return hash === last || (isMixed === 0 && (hash === earlier || hash === original))
}
