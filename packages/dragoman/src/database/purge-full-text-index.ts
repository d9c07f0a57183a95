import { sql, type Kysely } from 'kysely'

import { nextTurn } from '../async/index.ts'
/** Pages of the index that are rewritten in one turn. */
const PAGES_PER_MERGE = 16

/** A purge that has begun may miss what is deleted now. `next` has not begun. */
type Purges = { last: Promise<unknown>; next?: Promise<void> }

const indexes = new WeakMap<object, Map<string, Purges>>()

/**
 * Overwrites deleted text in a full-text index. SQLite only marks it as deleted, and it stays readable in the
 * file until its segment is merged. So all segments are merged, a few pages at a time. The time grows with the whole
 * index: calls that come while a purge goes on share the next one.
 * https://www.sqlite.org/fts5.html#the_merge_command
 */
export function purgeFullTextIndex<Tables>(db: Kysely<Tables>, index: string): Promise<void> {
  const purges = purgesOf(db, index)
  if (purges.next) return purges.next
  const purge = purges.last.then(() => {
    delete purges.next
    return mergeSegments(db, index)
  })
  purges.next = purge
  purges.last = purge.catch(() => undefined)
  return purge
}

function purgesOf(db: object, index: string): Purges {
  const ofDatabase = indexes.get(db) ?? new Map<string, Purges>()
  const purges = ofDatabase.get(index) ?? { last: Promise.resolve() }
  indexes.set(db, ofDatabase.set(index, purges))
  return purges
}

async function mergeSegments<Tables>(db: Kysely<Tables>, index: string): Promise<void> {
  const table = sql.table(index)
  // A negative number merges all segments, whatever their sizes. A positive number continues that merge.
  for (let pages = -PAGES_PER_MERGE; ; pages = PAGES_PER_MERGE) {
    const changes = await db.transaction().execute(async (trx) => {
      const before = await totalChanges(trx)
      await sql`INSERT INTO ${table} (${sql.ref(index)}, rank) VALUES ('merge', ${pages})`.execute(trx)
      return (await totalChanges(trx)) - before
    })
    if (changes < 2) return
    await nextTurn()
  }
}

async function totalChanges<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT total_changes() AS total`.execute(db)
  return rows[0]?.total ?? 0
}
