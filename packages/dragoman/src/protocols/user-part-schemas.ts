import { z } from 'zod'

/** `data:image/png;base64,iVBOR…`: type, parameters, and what is encoded. */
const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[^;,]*)*;base64,[A-Za-z0-9+/]+={0,2}$/

/**
 * What a user may say. A file comes in its message: an address would have to be fetched, now and whenever the conversation goes on, from
 * wherever a client names.
 */
export const textPartSchema = z.object({ type: z.literal('text'), text: z.string().min(1) })
export const filePartSchema = z.object({
  type: z.literal('file'),
  url: z.string().regex(DATA_URL, 'must be a data: URL in base64, like data:image/png;base64,iVBORw0KGgo='),
  mediaType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type like image/png'),
  filename: z.string().max(500).exactOptional(),
})
