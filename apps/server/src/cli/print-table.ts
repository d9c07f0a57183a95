import { styleText } from 'node:util'

import truncated from 'fast-string-truncated-width'

import { visibleJson } from '@dragoman/client/visible-text'
import { printableLine } from './printable.ts'

const GAP = '  '
const ELLIPSIS = '…'

export function printJson(value: unknown): void {
  process.stdout.write(`${visibleJson(value, 2)}\n`)
}

/** Prints rows below a header, in aligned columns. In a terminal, lines end at its width. */
export function printTable([header = [], ...rows]: readonly (readonly string[])[]): void {
  const { columns, isTTY } = process.stdout
  const limit = isTTY && columns > 0 ? columns : Infinity
  const lines = alignColumns([header, ...rows]).map((line) => cutToWidth(line, limit))
  for (const [index, line] of lines.entries())
    process.stdout.write(`${index === 0 ? styleText('bold', line) : line}\n`)
}

/** Cells are text of others. Chinese characters take two columns. */
function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map(printableLine))
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => truncated(row[column] ?? '').width)),
  )
  return cells.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  )
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(width - truncated(cell).width)
}

/** A line that is at most so many columns wide. */
export function cutToWidth(line: string, limit: number): string {
  const { index, ellipsed } = truncated(line, { limit, ellipsis: ELLIPSIS, ellipsisWidth: 1 })
  return ellipsed ? `${line.slice(0, index)}${ELLIPSIS}` : line.slice(0, index)
}
