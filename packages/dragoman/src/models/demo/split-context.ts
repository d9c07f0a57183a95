/** Details that follow the line that announces them, each with its name: `Title: Chef`. */
const detail = /^[A-Z]\w*: /

/**
 * Separates the lines about the client's context from the user's words, which follow them. The server sends them as a
 * text part of their own; some engines join the parts.
 */
export function splitContext(texts: readonly string[]): { context: string[]; request: string } {
  const context: string[] = []
  for (const [index, text] of texts.entries()) {
    const lines = text.split(/\r?\n/)
    const end = endOfContext(lines)
    context.push(...lines.slice(0, end))
    if (end < lines.length)
      return { context, request: [...lines.slice(end), ...texts.slice(index + 1)].join('\n').trim() }
  }
  return { context, request: '' }
}

function endOfContext(lines: readonly string[]): number {
  let at = 0
  let isAnnounced = false
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const next = behindFile(lines, at)
    isAnnounced = line.startsWith('[Context:') || (isAnnounced && detail.test(line))
    if (next === at && !isAnnounced && line.trim() !== '') break
    at = Math.max(next, at + 1)
  }
  return at
}

/**
 * Where a file that the user refers to, or what a page says of itself, has ended, if it begins here. What stands in it are no words of the user's: it is
 * told between marks that nothing in it can end.
 */
function behindFile(lines: readonly string[], at: number): number {
  const line = lines[at] ?? ''
  const marks = lines[at + 1] ?? ''
  if (line === '<page-context>') return behind(lines, '</page-context>', at)
  if (at === 0) return at
  if (/^"(?:[^"\\]|\\.)+": /.test(line)) return at + 1
  if (!/^(?:File|Folder) ".*:$/.test(line) || !/^`{3,}$/.test(marks)) return at
  return behind(lines, marks, at + 2)
}

function behind(lines: readonly string[], end: string, from: number): number {
  const at = lines.indexOf(end, from)
  return at < 0 ? lines.length : at + 1
}
