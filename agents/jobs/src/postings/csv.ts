/** A cell that begins so is a formula to a spreadsheet, whatever it was to its writer. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/u

/** A spreadsheet takes UTF-8 for its own alphabet where nothing says otherwise. */
export const BYTE_ORDER_MARK = '\uFEFF'

type Cell = string | number | boolean | null | undefined

/** One line of CSV, as RFC 4180 has it. A text that a spreadsheet would compute gets a `'` before it. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const harmless = FORMULA.test(cell.trimStart()) || FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) || harmless !== harmless.trim()
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless
}
