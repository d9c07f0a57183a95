import { z } from 'zod'

/** `data:image/png;base64,iVBOR…`: type, parameters, and the encoded data. */
const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[^;,]*)*;base64,[A-Za-z0-9+/]+={0,2}$/

/**
 * The parts of a user message. A file comes as data. For an address, the server would have to fetch whatever a
 * client names, now and each time the conversation continues.
 */
export const textPartSchema = z.object({ type: z.literal('text'), text: z.string().min(1) })
export const filePartSchema = z.object({
  type: z.literal('file'),
  url: z.string().regex(DATA_URL, 'must be a data: URL in base64, like data:image/png;base64,iVBORw0KGgo='),
  mediaType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type like image/png'),
  filename: z.string().max(500).exactOptional(),
})
