/** A line of a diff with its number before and after. A `skip` stands for unchanged lines that are left out. */
export type DiffLine =
  | {
      readonly kind: 'added' | 'removed' | 'same'
      readonly text: string
      readonly before?: number
      readonly after?: number
    }
  | { readonly kind: 'skip'; readonly count: number }

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,\d+)? @@/

/** The lines of a unified diff of one file, also of one that is cut off. */
export function parseDiff(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = []
  let [before, after] = [1, 1]
  let isInHunk = false
  for (const line of diff.split('\n')) {
    const [, start, length = '1', startAfter] = HUNK.exec(line) ?? []
    if (start !== undefined) {
      // The start of an empty side is the line before it.
      const next = Number(start) + Number(length === '0')
      if (next > before) lines.push({ kind: 'skip', count: next - before })
      ;[before, after] = [next, Math.max(1, Number(startAfter))]
      isInHunk = true
    } else if (isInHunk && line.startsWith('+')) {
      lines.push({ kind: 'added', text: line.slice(1), after })
      after += 1
    } else if (isInHunk && line.startsWith('-')) {
      lines.push({ kind: 'removed', text: line.slice(1), before })
      before += 1
    } else if (isInHunk && line.startsWith(' ')) {
      lines.push({ kind: 'same', text: line.slice(1), before, after })
      before += 1
      after += 1
    }
  }
  return lines
}

/** The lines of a new file. */
export function addedLines(content: string): readonly DiffLine[] {
  const lines = content.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.map((text, index) => ({ kind: 'added', text, after: index + 1 }))
}
