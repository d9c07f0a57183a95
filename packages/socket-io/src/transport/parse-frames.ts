import type { Json } from 'dragoman/events'

/** An event of a numbered stream with its cursor. */
export type NumberedFrame = { readonly cursor: string; readonly data: Json }

const utf8 = new TextDecoder()
const FRAME = /^id: (\S+)\ndata: (.*)$/

/** Parses the events in a feed's bytes, which are complete. */
export function parseFrames(bytes: Uint8Array): NumberedFrame[] {
  return utf8
    .decode(bytes)
    .split('\n\n')
    .flatMap((text) => {
      const [, cursor, data] = FRAME.exec(text) ?? []
      return cursor === undefined || data === undefined ? [] : [{ cursor, data: JSON.parse(data) as Json }]
    })
}
