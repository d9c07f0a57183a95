const QUOTE = 0x22
const BACKSLASH = 0x5c
/** A shorter text is none of a file that matters. */
const MIN_FILE_BYTES = 16 * 1024
/** How the encoded content of a file begins, with its type or without. */
const ENCODED = /^(?:data:[^,"\\]{0,200},)?[A-Za-z0-9+/\\]{64}/
const START_BYTES = 400

/** In the place of a file that was left out. No request may have it. */
export const LEFT_OUT = 'data:left-out,'

/** The bytes of a JSON body, in which the encoded content of files can be left out. */
export interface BodyBuffer {
  /** Of all that it holds. */
  readonly bytes: number
  add(piece: Uint8Array): void
  /** Leaves the oldest file out. Returns its bytes; 0 if there is none. */
  leaveOut(): number
  content(): Buffer
}

type Segment = { pieces: Uint8Array[]; bytes: number; start: string; readonly isText: boolean }

/** Pages send their whole conversation with each message, with all of its files. */
export function createBodyBuffer(): BodyBuffer {
  const segments = createSegments()
  let oldest = 0
  let leftOut = 0
  let isEscaped = false
  return {
    get bytes() {
      return segments.bytes() - leftOut
    },
    add(piece) {
      // What was not taken begins at `from`, and what was not looked at begins at `at`.
      let from = 0
      let at = 0
      while (at < piece.length) {
        if (segments.isText()) {
          const end = textEnd(piece, from, isEscaped)
          isEscaped = end < 0 && endsEscaped(piece, from, isEscaped)
          if (end < 0) break
          segments.end(piece.subarray(from, end))
          // A quote belongs to what is around the text.
          from = end
          at = end + 1
        } else {
          const quote = piece.indexOf(QUOTE, at)
          if (quote < 0) break
          const end = textEnd(piece, quote + 1, false)
          at = end + 1
          // Most texts are short: they are part of what is around them.
          if (end >= 0 && end - quote <= MIN_FILE_BYTES) continue
          segments.end(piece.subarray(from, quote + 1))
          from = quote + 1
          at = from
        }
      }
      segments.take(piece.subarray(from))
    },
    leaveOut() {
      for (; oldest < segments.closed.length; oldest += 1) {
        const difference = leaveOut(segments.closed[oldest])
        leftOut += difference
        if (difference > 0) return difference
      }
      return 0
    },
    content: () => Buffer.concat(segments.pieces()),
  }
}

/** Long texts, and what is between them, in turn. */
function createSegments() {
  const closed: Segment[] = []
  let bytes = 0
  let current = newSegment(false)
  const take = (piece: Uint8Array): void => {
    if (piece.length === 0) return
    current.pieces.push(piece)
    current.bytes += piece.length
    bytes += piece.length
    const missing = START_BYTES - current.start.length
    if (current.isText && missing > 0)
      current.start += Buffer.from(piece.subarray(0, missing)).toString('latin1')
  }
  return {
    closed,
    take,
    bytes: () => bytes,
    isText: () => current.isText,
    pieces: () => [...closed, current].flatMap(({ pieces }) => pieces),
    /** Takes the end of a segment. A text that is no file is joined with what is around it. */
    end(piece: Uint8Array): void {
      take(piece)
      const last = closed.at(-1)
      if (last && !isFile(last) && !isFile(current)) {
        last.pieces.push(...current.pieces)
        last.bytes += current.bytes
      } else closed.push(current)
      current = newSegment(!current.isText)
    },
  }
}

/** Replaces the content of a file. Returns how many bytes less it has; 0 if the segment is no file. */
function leaveOut(segment: Segment | undefined): number {
  if (!segment || !isFile(segment)) return 0
  const difference = segment.bytes - LEFT_OUT.length
  segment.pieces = [Buffer.from(LEFT_OUT)]
  segment.bytes = LEFT_OUT.length
  return difference
}

function newSegment(isText: boolean): Segment {
  return { pieces: [], bytes: 0, start: '', isText }
}

function isFile({ isText, bytes, start }: Segment): boolean {
  return isText && bytes >= MIN_FILE_BYTES && ENCODED.test(start)
}

/** The place of the quote that ends a text; -1 if the text goes on. */
export function textEnd(piece: Uint8Array, from: number, isEscaped: boolean): number {
  for (let at = isEscaped ? from + 1 : from; ;) {
    const quote = piece.indexOf(QUOTE, at)
    if (quote < 0 || !endsEscaped(piece.subarray(0, quote), at, false)) return quote
    at = quote + 1
  }
}

/** Whether the piece ends with a backslash that escapes what follows. */
function endsEscaped(piece: Uint8Array, from: number, isEscaped: boolean): boolean {
  const start = isEscaped ? from + 1 : from
  let slash = piece.length
  while (slash > start && piece[slash - 1] === BACKSLASH) slash -= 1
  return (piece.length - slash) % 2 === 1
}
