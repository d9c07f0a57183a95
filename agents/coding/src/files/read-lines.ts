/** Some lines of a text, and where they stand in it. */
export type Lines = {
  readonly lines: readonly string[]
  /** The number of the first of them, from 1. */
  readonly first: number
  /** Lines of the whole text; undefined where the text was not read to its end. */
  readonly total: number | undefined
  /** Whether there is more behind them. */
  readonly hasMore: boolean
  /** How many of them are cut off at their end. */
  readonly cut: number
}

/** What one answer holds. */
export const MAX_LINES = 2000
const MAX_BYTES = 50 * 1024
const MAX_LINE_LENGTH = 2000

/**
 * Reads lines from chunks of text in bounded memory, however large the file or a line is. `counts` continues to the end
 * to count all lines.
 */
export async function readLines(
  text: AsyncIterable<string>,
  { from, most, counts }: { from: number; most: number; counts: boolean },
): Promise<Lines> {
  const lines: string[] = []
  let [line, bytes, cut] = [1, 0, 0]
  let isFull = false
  let [start, length] = ['', 0]

  const take = (): void => {
    if (line < from || isFull) return
    const visible = truncateLine(start, length)
    bytes += Buffer.byteLength(visible) + 1
    isFull = lines.length === most || (lines.length > 0 && bytes > MAX_BYTES)
    if (isFull) return
    lines.push(visible)
    if (length > MAX_LINE_LENGTH) cut += 1
  }
  for await (const piece of text) {
    for (let at = 0; at < piece.length;) {
      const end = piece.indexOf('\n', at)
      const stop = end === -1 ? piece.length : end
      // A character more than is shown: the CR before a newline is not known as one yet.
      if (line >= from && !isFull)
        start += piece.slice(at, Math.min(stop, at + MAX_LINE_LENGTH + 1 - start.length))
      length += stop - at
      at = stop + 1
      if (end === -1) continue
      take()
      line += 1
      ;[start, length] = ['', 0]
    }
    if (isFull && !counts) return { lines, first: from, total: undefined, hasMore: true, cut }
  }
  if (length > 0) take()
  const total = length > 0 ? line : line - 1
  return { lines, first: from, total, hasMore: from - 1 + lines.length < total, cut }
}

function truncateLine(start: string, length: number): string {
  if (length <= MAX_LINE_LENGTH || (length === start.length && start.endsWith('\r'))) {
    return start.endsWith('\r') ? start.slice(0, -1) : start
  }
  const visible = start.slice(0, MAX_LINE_LENGTH).replace(/[\ud800-\udbff]$/, '')
  return `${visible}… [cut: this line has ${length} characters]`
}
