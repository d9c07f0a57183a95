import { sectionOf } from '../markdown/sections.ts'

/** A piece of text on a page. `y` grows upwards. */
export type Item = {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
}

/** A line of a page, or of one of its columns, whose right edge is `edge`. */
export type Line = {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly edge: number
  readonly y: number
  readonly size: number
}

type Segment = Omit<Line, 'edge'> & { readonly row: number }

const MAX_ROWS_FOR_COLUMNS = 400
/** Columns have so many lines next to each other. */
const MIN_ROWS_IN_COLUMN = 4

/** The lines of a page in the order in which they are read: over, then down one column and the next. */
export function linesOf(items: readonly Item[]): readonly Line[] {
  const rows = rowsOf(items)
  const segments = rows.flatMap((row, index) => segmentsOf(row, index))
  const gutter = rows.length <= MAX_ROWS_FOR_COLUMNS ? gutterOf(segments) : undefined
  if (gutter === undefined) return rowLines(segments)

  const lines: Line[] = []
  let band: Segment[] = []
  const flush = (): void => {
    lines.push(...rowLines(band.filter(({ left }) => left < gutter - 2)))
    lines.push(...rowLines(band.filter(({ left }) => left >= gutter - 2)))
    band = []
  }
  for (const row of byRow(segments)) {
    if (row.some((segment) => crosses(segment, gutter))) {
      flush()
      lines.push(...rowLines(row))
    } else band.push(...row)
  }
  flush()
  return lines
}

/** Items that stand on one line, from the top. */
function rowsOf(items: readonly Item[]): readonly (readonly Item[])[] {
  const rows: { y: number; size: number; items: Item[] }[] = []
  for (const item of items.filter(({ text }) => text.trim() !== '').toSorted((a, b) => b.y - a.y)) {
    const row = rows.at(-1)
    if (row && row.y - item.y < Math.max(row.size, item.size) * 0.4) {
      row.items.push(item)
      row.size = Math.max(row.size, item.size)
    } else rows.push({ y: item.y, size: item.size, items: [item] })
  }
  return rows.map((row) => row.items.toSorted((a, b) => a.x - b.x))
}

/** A row is cut where it has a wide gap. */
function segmentsOf(row: readonly Item[], index: number): readonly Segment[] {
  const segments: Segment[] = []
  for (const { text, x, y, width, size } of row) {
    const last = segments.at(-1)
    const gap = last ? x - last.right : 0
    if (last && gap < Math.max(last.size, size) * 1.6) {
      const apart = gap > size * 0.18 && !(gap < size * 0.6 && isChinese(last.text, text))
      segments[segments.length - 1] = {
        ...last,
        text: `${last.text}${apart ? ' ' : ''}${text}`,
        right: Math.max(last.right, x + width),
        size: Math.max(last.size, size),
      }
    } else segments.push({ text, left: x, right: x + width, y, size, row: index })
  }
  return segments
}

function isChinese(before: string, after: string): boolean {
  return /[\p{Script=Han}，。；：、]$/u.test(before) && /^[\p{Script=Han}，。；：、]/u.test(after)
}

function crosses({ left, right }: Segment, gutter: number): boolean {
  return left < gutter - 2 && right > gutter + 2
}

function byRow(segments: readonly Segment[]): readonly (readonly Segment[])[] {
  return [...Map.groupBy(segments, ({ row }) => row).values()]
}

/** Where the second column begins, if there are two. */
function gutterOf(segments: readonly Segment[]): number | undefined {
  const lefts = [...new Set(segments.map(({ left }) => Math.round(left)))]
  const [least, most] = [Math.min(...lefts), Math.max(...segments.map(({ right }) => right))]
  const found = lefts
    .filter((x) => x > least + (most - least) * 0.15 && x < least + (most - least) * 0.85)
    .map((x) => sides(segments, x))
    .filter(({ left, right, crossing }) => areColumns(left, right) && crossing * 4 <= segments.length)
  const best = found.toSorted(
    (a, b) =>
      a.crossing - b.crossing ||
      Math.min(b.left.length, b.right.length) - Math.min(a.left.length, a.right.length),
  )
  return best[0]?.x
}

type Sides = {
  readonly x: number
  readonly left: readonly Segment[]
  readonly right: readonly Segment[]
  readonly crossing: number
}

function sides(segments: readonly Segment[], x: number): Sides {
  const leftColumn = segments.filter((segment) => segment.right <= x + 2 && segment.left < x - 2)
  const right = segments.filter((segment) => segment.left >= x - 2)
  return { x, left: leftColumn, right, crossing: segments.length - leftColumn.length - right.length }
}

/**
 * Times that stand to the right of what they belong to are no column, nor are those to its left: each shares its line
 * with it.
 */
function areColumns(leftColumn: readonly Segment[], right: readonly Segment[]): boolean {
  const [few, many] = leftColumn.length < right.length ? [leftColumn, right] : [right, leftColumn]
  if (few.length < MIN_ROWS_IN_COLUMN) return false
  if (leftColumn.some(({ text }) => sectionOf(text)) && right.some(({ text }) => sectionOf(text))) return true
  const rows = new Set(many.map(({ row }) => row))
  return few.filter(({ row }) => rows.has(row)).length < few.length * 0.6
}

function rowLines(segments: readonly Segment[]): readonly Line[] {
  const rows = byRow(segments)
  // What stands apart at the right, as times do, says nothing of where sentences break.
  const whole = rows.filter((row) => row.length === 1).flat()
  const edge = (whole.length > 0 ? whole : segments).reduce((most, { right }) => Math.max(most, right), 0)
  return rows.map((row) => {
    const [first] = row
    const text = row.reduce((before, segment) => {
      if (before === '') return segment.text
      return `${before}${/[:：]$|^[^\p{L}\p{N}]$/u.test(before) ? ' ' : ' | '}${segment.text}`
    }, '')
    const right = row.reduce((most, segment) => Math.max(most, segment.right), 0)
    const size = row.reduce((most, segment) => Math.max(most, segment.size), 0)
    return { text: text.trim(), left: first?.left ?? 0, right, edge, y: first?.y ?? 0, size }
  })
}
