import { ServiceError } from '../errors.ts'

/** The values by which a list is sorted, of one row. Together they must be unique in the list. */
export type SortKey = (string | number)[] | []

/**
 * Cuts a sorted list into pages. A page goes on after the sort key of the last row, so it needs no row that is
 * still there.
 */
export interface Keyset<Row, Key extends SortKey> {
  /** The sort key after which a page starts. @throws ServiceError `invalid-request` for a cursor of another list */
  after(cursor: string | undefined): Key | undefined
  /** The page of rows that were read with a limit of `limit + 1`, and the cursor of the next page, if there is one. */
  page<R extends Row>(
    rows: readonly R[],
    limit: number,
  ): { readonly rows: readonly R[]; readonly nextCursor?: string }
}

/**
 * Creates the pages of the list called `name`. The types of `example` are those of every key; `parameter` is
 * what clients send the cursor in.
 */
export function keyset<Row, Key extends SortKey>(
  name: string,
  example: Key,
  keyOf: (row: Row) => Key,
  parameter = 'cursor',
): Keyset<Row, Key> {
  const isKey = (key: readonly unknown[]): boolean =>
    key.length === example.length && key.every((value, at) => typeof value === typeof example[at])
  return {
    after(cursor) {
      if (cursor === undefined || cursor === '') return undefined
      const [list, ...key] = decoded(cursor)
      if (list === name && isKey(key)) return key as unknown as Key
      throw new ServiceError('invalid-request', `${parameter} must be that of the page before`)
    },
    page(rows, limit) {
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      return { rows: page, ...(last !== undefined && { nextCursor: encoded([name, ...keyOf(last)]) }) }
    },
  }
}

function encoded(values: SortKey): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

function decoded(cursor: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(read) ? read : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
