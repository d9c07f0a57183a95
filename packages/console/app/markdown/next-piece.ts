import { isHeavyBlock, isHeavyCode } from './heavy-block.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** So many characters are parsed in one turn. A piece is longer where it cannot be cut. */
const PIECE_CHARACTERS = 8000
const MAX_PIECE_CHARACTERS = 30_000

/** The next piece of a text, from its start. */
export type Piece = {
  readonly text: string
  /** Whether it is shown as it is: to parse it would take too long. */
  readonly isPlain: boolean
  /** Whether the text goes on behind it. */
  readonly isCut: boolean
}

/** Lines that belong together: up to a blank line, or to the end of a code block. */
type Stretch = { readonly start: number; readonly end: number; readonly isCode: boolean }

/** Returns the piece of a text that is parsed next. A stretch that is heavy is a piece of its own. */
export function nextPiece(text: string): Piece {
  let end = 0
  for (const stretch of stretchesIn(text)) {
    const lines = text.slice(stretch.start, stretch.end)
    if (stretch.isCode ? isHeavyCode(lines) : isHeavyBlock(lines)) {
      const isPlain = end === 0 || text.slice(0, stretch.start).trim() === ''
      return cut(text, isPlain ? stretch.end : stretch.start, isPlain)
    }
    end = stretch.end
    if (end > MAX_PIECE_CHARACTERS || (end > PIECE_CHARACTERS && isBlockStart(text, end)))
      return cut(text, end, false)
  }
  return { text, isPlain: false, isCut: false }
}

function cut(text: string, end: number, isPlain: boolean): Piece {
  return { text: text.slice(0, end), isPlain, isCut: end < text.length }
}

/** An indented line may belong to an item of a list that began before. */
function isBlockStart(text: string, at: number): boolean {
  return !/^[ \t\n]/.test(text.slice(at, at + 1))
}

function* stretchesIn(text: string): Generator<Stretch> {
  let start = 0
  let fence: string | undefined
  for (let at = 0; at < text.length;) {
    const lineEnd = text.indexOf('\n', at)
    const next = lineEnd < 0 ? text.length : lineEnd + 1
    // A longer line is no fence, and not blank.
    const line = text.slice(at, Math.min(next, at + PIECE_CHARACTERS))
    const [, mark] = FENCE.exec(line) ?? []
    const isFenceEnd = fence !== undefined && mark?.startsWith(fence) === true && line.trim() === mark
    if (fence === undefined && mark !== undefined) {
      if (at > start) yield { start, end: at, isCode: false }
      start = at
      fence = mark
    } else if (isFenceEnd || (fence === undefined && line.trim() === '')) {
      yield { start, end: next, isCode: isFenceEnd }
      start = next
      fence = undefined
    }
    at = next
  }
  if (start < text.length) yield { start, end: text.length, isCode: fence !== undefined }
}
