import { sql } from 'kysely'

import type { Database } from '../database/index.ts'

/** The tables that contain a text, including those of the word index. For tests. */
export async function tablesContaining(db: Database, text: string): Promise<string[]> {
  const { rows: tables } = await sql<{
    name: string
  }>`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows: columns } = await sql<{
      name: string
    }>`SELECT name FROM pragma_table_info(${name})`.execute(db)
    const has = columns.map(
      (column) => sql`instr(CAST(${sql.ref(column.name)} AS BLOB), CAST(${text} AS BLOB))`,
    )
    const all = sql<object>`SELECT 1 FROM ${sql.table(name)} WHERE ${sql.join(has, sql` OR `)} LIMIT 1`
    if ((await all.execute(db)).rows.length > 0) found.push(name)
  }
  return found
}
