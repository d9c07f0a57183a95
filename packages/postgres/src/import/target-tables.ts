import type { Query } from '../store/sql.ts'

export type TargetColumn = {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly isIdentity: boolean
  readonly isKey: boolean
}

const SCHEMA_ID = '(SELECT oid FROM pg_namespace WHERE nspname = current_schema())'

const COLUMNS = `
SELECT c.relname AS table, a.attname AS name, a.atttypid::regtype::text AS type, a.attidentity <> '' AS "isIdentity",
  coalesce(a.attnum = ANY (i.indkey), false) AS "isKey"
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relnamespace = ${SCHEMA_ID} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  AND a.attgenerated = ''
ORDER BY c.relname, a.attnum`

/** All columns that can be written. */
export function readColumns(query: Query): Promise<TargetColumn[]> {
  return query<TargetColumn>(COLUMNS)
}

type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string }

const FOREIGN_KEYS = `
SELECT k.conrelid::regclass::text AS table, quote_ident(k.conname) AS name, pg_get_constraintdef(k.oid) AS definition
FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = ${SCHEMA_ID}`
const TRIGGERED = `
SELECT DISTINCT t.tgrelid::regclass::text AS table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relnamespace = ${SCHEMA_ID}`

/**
 * Takes away foreign keys and stops triggers: tables refer to each other in circles, and rows arrive as the triggers
 * have left them. Returns what puts all back and checks the rows.
 */
export async function suspendChecks(query: Query): Promise<() => Promise<void>> {
  const keys = await query<ForeignKey>(FOREIGN_KEYS)
  const triggered = await query<{ table: string }>(TRIGGERED)
  for (const { table, name } of keys) await query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const { table } of triggered) await query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  return async () => {
    for (const { table, name, definition } of keys)
      await query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
    for (const { table } of triggered) await query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  }
}

/** Lets the numbers of a column continue after its highest one, and after the last one that its home gave. */
export async function continueNumbers(
  query: Query,
  { table, name }: TargetColumn,
  last: number,
): Promise<void> {
  const [from, column] = [quoted(table), quoted(name)]
  await query(
    `SELECT setval(pg_get_serial_sequence($1, $2), greatest(coalesce(max(${column}), 0), $3::bigint) + 1, false)
     FROM ${from}`,
    from,
    name,
    last,
  )
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
