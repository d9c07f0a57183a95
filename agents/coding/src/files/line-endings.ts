/** How the lines of a text end. */
export type LineEnding = '\n' | '\r\n'

export function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

export function withEnding(text: string, ending: LineEnding): string {
  const lf = withLf(text)
  return ending === '\n' ? lf : lf.replaceAll('\n', '\r\n')
}

/** How most lines of a text end; where it has only one, undefined. */
export function lineEndingOf(text: string): LineEnding | undefined {
  const all = countOf(text, '\n')
  if (all === 0) return undefined
  return countOf(text, '\r\n') * 2 > all ? '\r\n' : '\n'
}

/** Whether all lines of both texts end in the same way. */
export function haveSameEndings(one: string, other: string): boolean {
  const endings = new Set([...endingsIn(one), ...endingsIn(other)])
  return endings.size <= 1
}

function endingsIn(text: string): readonly LineEnding[] {
  const crlf = countOf(text, '\r\n')
  return [...(crlf > 0 ? (['\r\n'] as const) : []), ...(countOf(text, '\n') > crlf ? (['\n'] as const) : [])]
}

/** How often `what` is in a text, however they overlap. */
export function countOf(text: string, what: string): number {
  let count = 0
  for (let at = text.indexOf(what); at !== -1; at = text.indexOf(what, at + 1)) count += 1
  return count
}
