import type { Json } from 'dragoman/events'

/** What one event of a numbered stream says, and the cursor that it carries. */
export type NumberedFrame = { readonly cursor: string; readonly data: Json }

const utf8 = new TextDecoder()
const FRAME = /^id: (\S+)\ndata: (.*)$/

/** The events of a feed's bytes, which are whole. */
export function parseFrames(bytes: Uint8Array): NumberedFrame[] {
  return utf8
    .decode(bytes)
    .split('\n\n')
    .flatMap((text) => {
      const [, cursor, data] = FRAME.exec(text) ?? []
      return cursor === undefined || data === undefined ? [] : [{ cursor, data: JSON.parse(data) as Json }]
    })
}
