/** A spreadsheet reads a cell with this beginning as a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/u

/** Without it, spreadsheets do not read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

type Cell = string | number | boolean | null | undefined

/** A line of CSV (RFC 4180). A text that a spreadsheet would compute gets a leading `'`. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const escaped = FORMULA.test(cell.trimStart()) || FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(escaped) || escaped !== escaped.trim()
    ? `"${escaped.replaceAll('"', '""')}"`
    : escaped
}
