import type { FileStore } from './file-store.ts'
import type { FileTables } from './tables.ts'

const PAGE_USES = 500
/** A file that was stored again just now is about to be shown by another conversation. */
const GRACE_MS = 60_000

/** Forgets the conversations that exist no more, with the files that they alone showed. Returns the users of these. */
export async function sweepUses(
  tables: FileTables,
  isGone: Parameters<FileStore['sweep']>[0],
  unusedMs: number,
): Promise<ReadonlySet<string>> {
  const before = Date.now() - Math.min(GRACE_MS, unusedMs)
  const users = new Set<string>()
  for (let after = ''; ;) {
    const page = await tables
      .selectFrom('file_uses')
      .select('conversation_id')
      .distinct()
      .where('conversation_id', '>', after)
      .orderBy('conversation_id')
      .limit(PAGE_USES)
      .execute()
    const ids = page.map(({ conversation_id: id }) => id)
    for (const id of ids.length === 0 ? [] : await isGone(ids))
      for (const userId of await sweepConversation(tables, id, before)) users.add(userId)
    const last = ids.at(-1)
    if (last === undefined) return users
    after = last
  }
}

async function sweepConversation(tables: FileTables, id: string, before: number): Promise<readonly string[]> {
  const uses = await tables
    .selectFrom('file_uses')
    .innerJoin('files', 'files.id', 'file_uses.file_id')
    .select(['files.id', 'files.user_id'])
    .where('conversation_id', '=', id)
    .where('files.created_at', '<', before)
    .execute()
  const users: string[] = []
  for (const { id: fileId, user_id: userId } of uses) {
    await tables
      .deleteFrom('file_uses')
      .where('conversation_id', '=', id)
      .where('file_id', '=', fileId)
      .execute()
    if (await removeUnused(tables, fileId, before)) users.push(userId)
  }
  return users
}

/** Deletes the files that no conversation has ever shown. Returns their users. */
export async function sweepFiles(tables: FileTables, before: number): Promise<ReadonlySet<string>> {
  const unused = await tables
    .selectFrom('files')
    .leftJoin('file_uses', 'file_uses.file_id', 'files.id')
    .select(['files.id', 'files.user_id'])
    .where('file_uses.file_id', 'is', null)
    .where('files.created_at', '<', before)
    .execute()
  const users = new Set<string>()
  for (const { id, user_id: userId } of unused) if (await removeUnused(tables, id, before)) users.add(userId)
  return users
}

/** A message may show the file meanwhile. */
async function removeUnused(tables: FileTables, id: string, before: number): Promise<boolean> {
  const uses = tables.selectFrom('file_uses').select('file_id').where('file_id', '=', id)
  const { numDeletedRows } = await tables
    .deleteFrom('files')
    .where('id', '=', id)
    .where('created_at', '<', before)
    .where(({ not, exists }) => not(exists(uses)))
    .executeTakeFirst()
  if (numDeletedRows > 0n) await tables.deleteFrom('file_chunks').where('file_id', '=', id).execute()
  return numDeletedRows > 0n
}
