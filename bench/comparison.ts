import { formatTable } from './format-table.ts'

/** A figure of both databases. Undefined where a database has none. */
export type Comparison = {
  readonly what: string
  readonly unit: string
  readonly sqlite?: number
  readonly postgres?: number
  /** What PostgreSQL may cost at most: times the figure of SQLite, or by itself. Without a figure, what SQLite may. */
  readonly target?: { readonly times: number } | { readonly most: number }
}

/** One table of figures side by side, with what was aimed at. */
export function formatComparisons(rows: readonly Comparison[]): string {
  const heads = ['', 'SQLite', 'PostgreSQL', 'ratio', 'target', '']
  return formatTable(heads, rows.map(toCells))
}

function toCells({ what, unit, sqlite, postgres, target }: Comparison): string[] {
  const ratio = (postgres ?? Number.NaN) / (sqlite ?? Number.NaN)
  const cells = [`${what}, ${unit}`, format(sqlite), format(postgres), format(ratio, ' ×')]
  if (!target) return [...cells, '', '']
  const figure = postgres ?? sqlite ?? Number.NaN
  const isOver = 'times' in target ? !(ratio <= target.times) : !(figure <= target.most)
  const limit = 'times' in target ? `≤ ${target.times} ×` : `≤ ${target.most}`
  return [...cells, limit, isOver ? 'over' : 'ok']
}

function format(value = Number.NaN, after = ''): string {
  if (Number.isNaN(value)) return '–'
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)}${after}`
}
