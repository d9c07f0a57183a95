import type { BlockOf } from './blocks.ts'
import { breakLines } from './break-lines.ts'
import { baseline, settingOf, textMarks, type LayoutContext, type Strip } from './layout-context.ts'

const GAP = 14

type Row = BlockOf<'row'>

/** The rows of a table, with their cells in columns. */
export function layOutTable(rows: readonly Row[], sheet: LayoutContext): Strip[] {
  const columns = columnsOf(rows, sheet)
  const { body, strong, gaps } = sheet.style
  return rows.flatMap((row, at): Strip[] => {
    const type = row.head ? { ...body, weight: strong } : body
    const height = type.size * type.leading
    let remaining = 0
    const cells = row.cells.map((cell, column) => {
      const width = columns[column] ?? 0
      const lines = breakLines(
        cell.map((span) => ({ ...span, text: span.text.replaceAll('\n', ' ') })),
        width,
        settingOf(sheet, type),
      )
      const x = remaining
      remaining += width + GAP
      return lines.map((line, place) =>
        textMarks(line, type, { x, y: place * height + baseline(type), color: () => type.color }),
      )
    })
    const tallest = Math.max(...cells.map((lines) => lines.length))
    const before = at === 0 ? gaps.paragraph : gaps.item
    return [{ before, height: tallest * height, keep: row.head, marks: cells.flat(2) }]
  })
}

/** As wide as their widest cells, if there is room for all; else the wide ones share what the narrow ones leave. */
function columnsOf(rows: readonly Row[], sheet: LayoutContext): number[] {
  const setting = settingOf(sheet, { ...sheet.style.body, weight: sheet.style.strong })
  const count = Math.max(...rows.map(({ cells }) => cells.length))
  const idealWidths = Array.from({ length: count }, (_, column) =>
    Math.max(
      1,
      ...rows.map(
        ({ cells }) => breakLines(cells[column] ?? [], Number.POSITIVE_INFINITY, setting)[0]?.width ?? 0,
      ),
    ),
  )
  let room = sheet.width - GAP * (count - 1)
  let remaining = count
  const widths = idealWidths.map(() => 0)
  const order = idealWidths.map((width, column) => ({ width, column })).toSorted((a, b) => a.width - b.width)
  for (const { width, column } of order) {
    const own = Math.min(width, room / remaining)
    widths[column] = own
    room -= own
    remaining -= 1
  }
  return widths
}
