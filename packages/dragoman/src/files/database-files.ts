import { ServiceError } from '../errors.ts'
import type { Database } from '../database/index.ts'
import type { FileStore } from './file-store.ts'
import { sweepFiles, sweepUses } from './sweep-files.ts'
import { fileTables, type FileTables } from './tables.ts'
import { createReceiver, createWriter, toStored, type DatabaseFilesOptions } from './write-file.ts'

/** Keeps files in the server's database, so that each node has them and one backup holds them. */
export function databaseFiles(db: Database, options: DatabaseFilesOptions): FileStore {
  const { onChange } = options
  const tables = fileTables(db)
  const find = (id: string) => tables.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
  const show: FileStore['show'] = async (threadId, ids) => {
    for (const fileId of ids)
      await tables
        .insertInto('file_uses')
        .values({ file_id: fileId, conversation_id: threadId })
        .onConflict((on) => on.doNothing())
        .execute()
  }
  return {
    maxBytes: options.maxBytes,
    put: createWriter(tables, options, show),
    receive: createReceiver(tables, options),
    show,
    async get(userId, id) {
      const row = await find(id)
      if (row?.user_id !== userId || row.hash === null)
        throw new ServiceError('not-found', 'There is no such file.')
      return toStored(row)
    },
    read: (id) => readChunks(tables, id),
    async share(fromThreadId, toThreadId) {
      const uses = await tables
        .selectFrom('file_uses')
        .select('file_id')
        .where('conversation_id', '=', fromThreadId)
        .execute()
      await show(
        toThreadId,
        uses.map(({ file_id: id }) => id),
      )
    },
    async transfer(userId, toUserId) {
      await tables.updateTable('files').set({ user_id: toUserId }).where('user_id', '=', userId).execute()
      onChange?.(toUserId)
    },
    async bytesOf(userId) {
      const sum = tables
        .selectFrom('files')
        .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
      return Number((await sum.where('user_id', '=', userId).executeTakeFirst())?.bytes ?? 0)
    },
    async sweep(isGone, unusedMs) {
      const ofGone = await sweepUses(tables, isGone, unusedMs)
      const unused = await sweepFiles(tables, Date.now() - unusedMs)
      const users = new Set([...ofGone, ...unused])
      for (const userId of users) onChange?.(userId)
      return users
    },
  }
}

async function* readChunks(tables: FileTables, id: string): AsyncGenerator<Uint8Array, void> {
  for (let n = 0; ; n += 1) {
    const chunks = tables.selectFrom('file_chunks').select('content').where('file_id', '=', id)
    const chunk = await chunks.where('n', '=', n).executeTakeFirst()
    if (!chunk) return
    yield chunk.content
  }
}
