/** Keeps the beginning and the end of a long text, in bounded memory. */
export interface HeadAndTail {
  add(text: string): void
  read(): { readonly text: string; readonly truncated: boolean }
}

/** Of each: half of 50 KB and of 2,000 lines. */
const HALF_LIMITS = { characters: 25 * 1024, lines: 1000 }
/** The excess after which the middle is dropped. */
const SLACK = 64 * 1024

export function headAndTail(half: { characters: number; lines: number } = HALF_LIMITS): HeadAndTail {
  let head: string | undefined
  let rest = ''
  const lost = { characters: 0, lines: 0 }

  const cutHead = (): string => {
    const end = Math.min(endOfFirst(rest, half.lines), half.characters)
    const first = rest.slice(0, end < rest.length ? wholeCharacters(rest, end) : end)
    rest = rest.slice(first.length)
    return first
  }
  const cutTail = (): void => {
    const begin = Math.max(beginOfLast(rest, half.lines), rest.length - half.characters)
    const cut = begin === 0 ? 0 : lineOrCharacterAt(rest, begin)
    lost.characters += cut
    lost.lines += newLines(rest, cut)
    rest = rest.slice(cut)
  }
  return {
    add(text) {
      rest += text
      if (rest.length < 2 * half.characters + SLACK) return
      head ??= cutHead()
      cutTail()
    },
    read() {
      head ??= cutHead()
      cutTail()
      if (lost.characters === 0) return { text: head + rest, truncated: false }
      const [lines, characters] = [lost.lines, lost.characters].map((count) => count.toLocaleString('en'))
      const note = `… ${lines} lines (${characters} characters) left out …`
      return { text: `${head.replace(/\n$/, '')}\n${note}\n${rest}`, truncated: true }
    },
  }
}

/** Where the first so many lines end. */
function endOfFirst(text: string, lines: number): number {
  let at = 0
  for (let line = 0; line < lines; line += 1) {
    const next = text.indexOf('\n', at)
    if (next < 0) return text.length
    at = next + 1
  }
  return at
}

/** Where the last so many lines begin. A line that is not ended counts as one. */
function beginOfLast(text: string, lines: number): number {
  let at = text.endsWith('\n') ? text.length - 1 : text.length
  for (let line = 0; line < lines; line += 1) {
    const before = at === 0 ? -1 : text.lastIndexOf('\n', at - 1)
    if (before < 0) return 0
    at = before
  }
  return at + 1
}

/** The next line where one begins soon, so that none is shown in part. Else not inside of a character. */
function lineOrCharacterAt(text: string, at: number): number {
  if (text[at - 1] === '\n') return at
  const next = text.indexOf('\n', at)
  if (next >= 0 && next - at < 1024 && next + 1 < text.length) return next + 1
  return isLowSurrogate(text, at) ? at + 1 : at
}

function wholeCharacters(text: string, end: number): number {
  return isLowSurrogate(text, end) ? end - 1 : end
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

function newLines(text: string, end: number): number {
  let count = 0
  for (let at = 0; at < end; at += 1) if (text.charCodeAt(at) === 10) count += 1
  return count
}
