import type { Json } from 'dragoman/events'

/** An event of a numbered stream with its cursor. */
export type NumberedFrame = { readonly cursor: string; readonly data: Json }

/** Parses the events in a feed's bytes. A large one comes in several pieces. */
export interface FrameParser {
  /** Returns nothing until the bytes end with an event. */
  parse(bytes: Uint8Array): readonly NumberedFrame[]
  hasPart(): boolean
  close(): void
}

const SEPARATOR = '\n\n'
const FRAME = /^id: (\S+)\ndata: (.*)$/

/** `count` is told by how many bytes the parts of events in memory have changed. */
export function createFrameParser(count: (change: number) => void): FrameParser {
  const utf8 = new TextDecoder()
  let pieces: string[] = []
  let bytesOfPieces = 0
  const clear = (): void => {
    if (bytesOfPieces > 0) count(-bytesOfPieces)
    pieces = []
    bytesOfPieces = 0
  }
  return {
    hasPart: () => pieces.length > 0,
    close: clear,
    parse(bytes) {
      const piece = utf8.decode(bytes, { stream: true })
      // Bytes of one character may be cut.
      if (piece === '') return []
      const last = pieces.at(-1) ?? ''
      if (!(last.slice(-1) + piece).endsWith(SEPARATOR)) {
        pieces.push(piece)
        bytesOfPieces += bytes.length
        count(bytes.length)
        return []
      }
      const text = pieces.join('') + piece
      clear()
      return text.split(SEPARATOR).flatMap(parseFrame)
    },
  }
}

function parseFrame(text: string): NumberedFrame[] {
  const [, cursor, data] = FRAME.exec(text) ?? []
  return cursor === undefined || data === undefined ? [] : [{ cursor, data: JSON.parse(data) as Json }]
}
