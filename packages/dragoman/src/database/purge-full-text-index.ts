import { setImmediate as turn } from 'node:timers/promises'

import { sql, type Kysely } from 'kysely'

/** Pages of the index that are rewritten in one turn. */
const PAGES_PER_MERGE = 16

/**
 * Overwrites deleted text in a full-text index. SQLite only marks it as deleted, and it stays readable in the
 * file until its segment is merged. So all segments are merged, a few pages at a time.
 * https://www.sqlite.org/fts5.html#the_merge_command
 */
export async function purgeFullTextIndex<Tables>(db: Kysely<Tables>, index: string): Promise<void> {
  const table = sql.table(index)
  // A negative number merges all segments, whatever their sizes. A positive number continues that merge.
  for (let pages = -PAGES_PER_MERGE; ; pages = PAGES_PER_MERGE) {
    const changes = await db.transaction().execute(async (trx) => {
      const before = await totalChanges(trx)
      await sql`INSERT INTO ${table} (${sql.ref(index)}, rank) VALUES ('merge', ${pages})`.execute(trx)
      return (await totalChanges(trx)) - before
    })
    if (changes < 2) return
    await turn()
  }
}

async function totalChanges<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT total_changes() AS total`.execute(db)
  return rows[0]?.total ?? 0
}
