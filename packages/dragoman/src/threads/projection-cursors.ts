import type { ThreadDatabase } from './tables.ts'

/** The threads are divided into so many parts, each of which is one node's. */
export const PROJECTION_PARTS = 12
export const ALL_PARTS: readonly number[] = [...Array(PROJECTION_PARTS).keys()]

/**
 * How far the passes of some parts are, all of them. Up to `written`, all changes are in rows. Up to `seen`, they are
 * too, but for those of running runs, whose rows follow. What is written has been seen: a lower `seen` is an old one.
 */
export type ProjectionCursors = { readonly written?: string | undefined; readonly seen?: string | undefined }

/** The names of their rows. Without a number: those of earlier versions, which were of all threads. */
const ROWS = 'messages'
const ROWS_SEEN = 'messages-seen'

/** The cursors of the part that is behind all others. */
export async function readCursors(
  tables: ThreadDatabase,
  parts: readonly number[] = ALL_PARTS,
): Promise<ProjectionCursors> {
  const rows = await tables
    .selectFrom('projections')
    .select(['name', 'cursor'])
    .where('name', 'like', `${ROWS}%`)
    .execute()
  const byName = new Map(rows.map(({ name, cursor }) => [name, Number(cursor)]))
  const rowCursors = parts.map((part) => byName.get(`${ROWS}/${part}`) ?? byName.get(ROWS))
  const seenCursors = parts.map((part, at) => {
    const [seen, written] = [byName.get(`${ROWS_SEEN}/${part}`), rowCursors[at]]
    return seen === undefined || written === undefined ? (seen ?? written) : Math.max(seen, written)
  })
  return { written: lowest(rowCursors), seen: lowest(seenCursors) }
}

/** Undefined if there is none of a part: then it has seen nothing. */
function lowest(cursors: readonly (number | undefined)[]): string | undefined {
  const numbers = cursors.filter((cursor) => cursor !== undefined)
  return numbers.length < cursors.length ? undefined : String(Math.min(...numbers))
}

export async function saveCursors(
  tables: ThreadDatabase,
  parts: readonly number[],
  { written, seen }: ProjectionCursors,
): Promise<void> {
  const rows = parts.flatMap((part) => [
    ...(written === undefined ? [] : [{ name: `${ROWS}/${part}`, cursor: written }]),
    ...(seen === undefined ? [] : [{ name: `${ROWS_SEEN}/${part}`, cursor: seen }]),
  ])
  if (rows.length === 0) return
  await tables
    .insertInto('projections')
    .values(rows)
    .onConflict((on) => on.column('name').doUpdateSet(({ ref }) => ({ cursor: ref('excluded.cursor') })))
    .execute()
}
