import type { Database } from '../database/index.ts'
import { pause } from '../log/index.ts'
import { messageWords, rewriteMessageWords } from './message-words.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

/** How often it is looked whether a renewal is due. */
const POLL_INTERVAL_MS = 10_000

/**
 * Renews the words of messages that an earlier version has indexed, until all are renewed or `signal` aborts. A large
 * home takes minutes; until then a search finds its newer messages. It continues where an earlier process has stopped.
 */
export async function renewMessageWords(db: Database, signal: AbortSignal): Promise<void> {
  const tables = threadTables(db)
  let hasRenewed = false
  while (!signal.aborted) {
    const next = tables.selectFrom('message_words_renewals').selectAll().orderBy('due_at').limit(1)
    const renewal = await next.executeTakeFirst()
    if (!renewal) break
    if (Number(renewal.due_at) > Date.now()) {
      await pause(POLL_INTERVAL_MS, signal)
      continue
    }
    if (!(await renew(tables, renewal, signal))) return
    hasRenewed = true
  }
  // The words of the earlier version are then gone from the file too.
  if (hasRenewed) await messageWords.purge(db)
}

type Renewal = { readonly id: number; readonly first: number; readonly last: number | null }

/** Returns whether it is done. */
async function renew(
  tables: ThreadDatabase,
  { id, first, last }: Renewal,
  signal: AbortSignal,
): Promise<boolean> {
  const own = { id, first, last: last ?? (await newestPosition(tables)) }
  const isDone = await rewriteMessageWords(tables, own, {
    async onSlice(trx, lowest) {
      const renewal = trx.updateTable('message_words_renewals').where('id', '=', id)
      await renewal.set({ last: lowest - 1 }).execute()
      return !signal.aborted
    },
  })
  if (isDone) await tables.deleteFrom('message_words_renewals').where('id', '=', id).execute()
  return isDone
}

async function newestPosition(tables: ThreadDatabase): Promise<number> {
  const highest = tables.selectFrom('chat_messages').select(({ fn }) => fn.max('position').as('position'))
  const { position } = (await highest.executeTakeFirst()) ?? {}
  return position ?? 0
}

/** Writes the words of all messages of a database that has none of them yet. */
export async function rewriteAllMessageWords(db: Database): Promise<void> {
  const tables = threadTables(db)
  await rewriteMessageWords(tables, { first: 0, last: await newestPosition(tables) }, {})
}
