import type { ThreadDatabase } from './tables.ts'

/**
 * How far the passes of all users are. Up to `written`, all changes are in rows. Up to `seen`, they are too, but for
 * those of running runs, whose rows follow.
 */
export type ProjectionCursors = { readonly [Name in keyof typeof ROWS]?: string }

/** The names of their rows. */
const ROWS = { written: 'messages', seen: 'messages-seen' } as const

export async function readCursors(tables: ThreadDatabase): Promise<ProjectionCursors> {
  const rows = await tables
    .selectFrom('projections')
    .select(['name', 'cursor'])
    .where('name', 'in', Object.values(ROWS))
    .execute()
  const byName = new Map(rows.map(({ name, cursor }) => [name, String(cursor)]))
  const found = Object.entries(ROWS).map(([name, row]) => [name, byName.get(row)])
  return Object.fromEntries(found) as ProjectionCursors
}

export async function saveCursor(
  tables: ThreadDatabase,
  name: keyof typeof ROWS,
  cursor: string,
): Promise<void> {
  await tables
    .insertInto('projections')
    .values({ name: ROWS[name], cursor })
    .onConflict((on) => on.column('name').doUpdateSet({ cursor }))
    .execute()
}
