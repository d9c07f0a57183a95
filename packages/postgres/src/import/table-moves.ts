import { ServiceError } from 'dragoman/errors'
import { toColumns, toEntry, type StoredEntry } from 'dragoman/stores'

import { storedPart } from '../store/append-statement.ts'
import { readNumber, type Home, type Row, type Value } from './open-home.ts'
import { quoted, type TargetColumn } from './target-tables.ts'

/** A table of a home, and how its rows are in PostgreSQL. */
export type TableMove = {
  readonly table: string
  readonly columns: readonly TargetColumn[]
  readonly count: number
  /** Its rows as PostgreSQL has them. `onNul` is called for each row that had a character which it cannot store. */
  readonly rows: (onNul: () => void) => Iterable<Row>
}

/** What describes the processes of the home, or what the database of a server has of its own. */
const STAYS: ReadonlySet<string> = new Set([
  'owners',
  'run_changes',
  // They move as rows of `run_entries`.
  'run_tail',
  'schema_migrations',
  'compatible_migrations',
])

/** The place in the feed of changes up to which a table's owner has read it. */
const CURSOR = '(SELECT count(*) FROM run_states WHERE changed <= cursor)'

/** Columns that PostgreSQL has alone, or with other values. Runs that have not ended are free for any process. */
const EXPRESSIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  run_states: {
    version: '1',
    owner: 'NULL',
    changed: 'CAST(row_number() OVER (ORDER BY changed, num) AS TEXT)',
  },
  projections: { cursor: CURSOR },
  usage_walk: { cursor: CURSOR },
}

/** The tables that move, and those that have rows and no place, as of agents that this server does not have. */
export function planMoves(
  home: Home,
  columns: readonly TargetColumn[],
): { readonly moves: readonly TableMove[]; readonly strangers: readonly string[] } {
  const byTable = Map.groupBy(columns, ({ table }) => table)
  const moves: TableMove[] = []
  const strangers: string[] = []
  for (const [table, fields] of [...home.tables].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (STAYS.has(table)) continue
    const count = readNumber(home, `SELECT count(*) FROM ${sourceOf(home, table)}`)
    const target = byTable.get(table)
    if (target) moves.push(planMove(home, { table, fields, target, count }))
    else if (count > 0) strangers.push(table)
  }
  return { moves, strangers }
}

/** Columns of SQLite's log. PostgreSQL has checksums of its own, of pages, and keeps a long request elsewhere. */
const STAYING_COLUMNS = new Set(['run_entries.checksum', 'run_pieces.checksum', 'run_states.created_at'])

type Found = {
  readonly table: string
  readonly fields: ReadonlySet<string>
  readonly target: readonly TargetColumn[]
  readonly count: number
}

function planMove(home: Home, { table, fields, target, count }: Found): TableMove {
  const moving = [...fields].filter((field) => !STAYING_COLUMNS.has(`${table}.${field}`))
  const missing = moving.find((field) => !target.some(({ name }) => name === field))
  if (missing !== undefined)
    throw new ServiceError('conflict', `PostgreSQL has no column ${table}.${missing}.`)
  if (!target.some(({ isKey }) => isKey))
    throw new ServiceError(
      'conflict',
      `The table ${table} has no primary key, so its rows cannot be compared.`,
    )
  const expressions = new Map(
    target.map(({ name }) => [
      name,
      EXPRESSIONS[table]?.[name] ?? (fields.has(name) ? quoted(name) : undefined),
    ]),
  )
  // SQLite numbers these rows by itself.
  if (expressions.has('rowid')) expressions.set('rowid', 'rowid')
  const columns = target.filter(({ name }) => expressions.get(name) !== undefined)
  const texts = columns.filter(({ type }) => type === 'text').map(({ name }) => name)
  const selected = columns.map(({ name }) => {
    const expression = expressions.get(name) ?? 'NULL'
    return `${texts.includes(name) ? wholeText(expression) : expression} AS ${quoted(name)}`
  })
  const select = `SELECT ${selected.join(', ')} FROM ${sourceOf(home, table)}`
  const convert = table === 'run_entries' ? entryConverter(home) : undefined
  return {
    table,
    columns,
    count,
    *rows(onNul) {
      for (const row of home.rows(select)) yield withoutNul(convert ? convert(row) : row, texts, onNul)
    },
  }
}

/** What runs have said last may lie in a table of its own, if the server was killed. */
function sourceOf(home: Home, table: string): string {
  if (table !== 'run_entries' || !home.tables.has('run_tail')) return quoted(table)
  const columns = 'run, seq, at, kind, part, body'
  return `(SELECT ${columns} FROM run_entries UNION ALL SELECT ${columns} FROM run_tail)`
}

/** Node before 24 reads a text up to its first NUL, so a text with one is read as bytes. */
function wholeText(expression: string): string {
  return `CASE WHEN instr(CAST(${expression} AS BLOB), x'00') > 0
    THEN CAST(${expression} AS BLOB) ELSE ${expression} END`
}

function withoutNul(row: Row, texts: readonly string[], onNul: () => void): Row {
  if (!texts.some((name) => row[name] instanceof Uint8Array)) return row
  onNul()
  const plain = texts.map((name) => [name, textOf(row[name] ?? null)?.replaceAll('\0', '\u{FFFD}') ?? null])
  return { ...row, ...(Object.fromEntries(plain) as Row) }
}

/** A delta that has a NUL, as earlier versions wrote it, becomes JSON, which escapes it. */
function entryConverter(home: Home): (row: Row) => Row {
  const idOf = 'SELECT id FROM runs WHERE num = ?'
  return (row) => {
    const { part, body } = row
    if (!(part instanceof Uint8Array || body instanceof Uint8Array))
      return { ...row, part: storedPart(part as StoredEntry['part']) }
    const [run] = [...home.rows(idOf, row['run'] ?? null)]
    const runId = String(run?.['id'])
    const stored = { ...row, part: partOf(part), body: textOf(body ?? null) } as unknown as StoredEntry
    const { kind, part: plainPart, body: plainBody } = toColumns(runId, toEntry(runId, 0, stored).event)
    return { ...row, kind, part: storedPart(plainPart), body: plainBody }
  }
}

function partOf(part: Value | undefined): Value {
  return part instanceof Uint8Array ? textOf(part) : (part ?? null)
}

function textOf(value: Value): string | null {
  if (value === null) return null
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)
}
