import type { Database } from '../database/index.ts'
import { rewriteMessageWords } from './message-words.ts'
import { unlimitedStorage, type ThreadStorage } from './thread-storage.ts'
import { wasDeleted } from './thread-deletion.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

export interface OwnershipTransfer {
  /**
   * Moves all threads of a user to another user, in one transaction after the words of their messages. Returns their
   * number. A thread whose client name the new owner uses, or used, loses that name: it means the owner's own thread.
   */
  transfer(from: string, to: string): Promise<number>
}

export function createOwnershipTransfer(
  db: Database,
  storage: ThreadStorage = unlimitedStorage,
): OwnershipTransfer {
  const tables = threadTables(db)
  return {
    async transfer(from, to) {
      await moveWords(tables, from, to)
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await transfer(tables, storage, { from, to })
        } catch (error) {
          // The new owner may have used a name for the first time meanwhile. Now it is known.
          if (attempt === ATTEMPTS) throw error
        }
      }
    },
  }
}

const ATTEMPTS = 3

/** First, and in slices: the words of a guest's messages are the guest's until then, and may be many. */
async function moveWords(tables: ThreadDatabase, from: string, to: string): Promise<void> {
  const own = tables.selectFrom('conversations').select('id').where('user_id', '=', from)
  for (const { id } of await own.execute()) await rewriteMessageWords(tables, { threadId: id }, { owner: to })
}

function transfer(
  tables: ThreadDatabase,
  storage: ThreadStorage,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<number> {
  return tables.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('conversations')
      .select(['id', 'agent_id', 'client_id', 'bytes'])
      .where('user_id', '=', from)
      .execute()
    for (const { id, agent_id: agent, client_id: name } of rows) {
      const isMeant = name !== null && (await isKnown(trx, { userId: to, agent, name }))
      await trx
        .updateTable('conversations')
        .set({ user_id: to, ...(isMeant && { client_id: null }) })
        .where('id', '=', id)
        .execute()
    }
    for (const table of ['questions', 'detached_questions'] as const)
      await trx.updateTable(table).set({ user_id: to }).where('user_id', '=', from).execute()
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    await storage.count(trx, from, -bytes)
    await storage.count(trx, to, bytes)
    return rows.length
  })
}

type Named = { readonly userId: string; readonly agent: string; readonly name: string }

async function isKnown(trx: ThreadDatabase, named: Named): Promise<boolean> {
  const own = trx.selectFrom('conversations').select('id')
  const same = own
    .where('user_id', '=', named.userId)
    .where('agent_id', '=', named.agent)
    .where('client_id', '=', named.name)
  return (await same.executeTakeFirst()) !== undefined || wasDeleted(trx, named)
}
