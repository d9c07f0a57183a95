/** A posting that the user is looking at is told in lines of these names, after the line that announces it. */
const detail = /^(?:Title|Company|URL|Source): /

/** Parts what the client said of the user's surroundings, which stands before the user's words, from those. */
export function splitContext(text: string): { context: string[]; request: string } {
  const lines = text.split(/\r?\n/)
  let at = 0
  while (at < lines.length) {
    const next = behindFile(lines, at)
    if (next === at && !isContext(lines[at] ?? '', at > 0)) break
    at = Math.max(next, at + 1)
  }
  return { context: lines.slice(0, at), request: lines.slice(at).join('\n').trim() }
}

function isContext(line: string, announced: boolean): boolean {
  return line.startsWith('[Context:') || line.trim() === '' || (announced && detail.test(line))
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
