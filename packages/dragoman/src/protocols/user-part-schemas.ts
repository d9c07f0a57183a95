import { z } from 'zod'

import { isDataUrl, namedFileId, readDataUrl } from '../events/index.ts'

const MAX_ADDRESS_LENGTH = 8192
const UNKNOWN = 'application/octet-stream'
const MEDIA_TYPE = /^[\w.+-]+\/(?:[\w.+-]+|\*)$/

/**
 * The parts of a user message. A file comes as data, as the address of one that was sent before, or as an address of
 * the web, which goes to the provider of the model, or is fetched when the model needs it.
 */
export const textPartSchema = z.object({ type: z.literal('text'), text: z.string().min(1) })
export const filePartSchema = z
  .object({
    type: z.literal('file'),
    url: z
      .string()
      .refine(
        isFileUrl,
        'must be a data: URL, like data:image/png;base64,iVBORw0KGgo=, an https: URL, ' +
          'or the url that POST /v1/files returned',
      ),
    mediaType: z
      .string()
      .overwrite(plainType)
      .regex(MEDIA_TYPE, 'must be a media type like image/png')
      .nullish()
      .describe('If the address does not say it.'),
    filename: z.string().max(500).nullish(),
  })
  .transform(({ mediaType, filename, ...part }) => ({
    ...part,
    mediaType: mediaType ?? typeIn(part.url),
    ...(typeof filename === 'string' && { filename }),
  }))

function typeIn(url: string): string {
  const type = plainType(mediaTypeOfUrl(url) ?? '')
  return MEDIA_TYPE.test(type) ? type : UNKNOWN
}

/** Browsers know no type of many files: then the content says it. */
function plainType(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim() || UNKNOWN
}

function isFileUrl(url: string): boolean {
  // What a long one holds is read once the message is accepted: it may have megabytes.
  if (/^data:/i.test(url))
    return url.length > MAX_ADDRESS_LENGTH ? isDataUrl(url) : readDataUrl(url) !== undefined
  if (url.length > MAX_ADDRESS_LENGTH) return false
  if (namedFileId(url) !== undefined) return true
  const address = /^https?:\/\//i.test(url) ? URL.parse(url) : null
  return address !== null && address.username === '' && address.password === ''
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
}

/** The media type that a file's address says: of its data, or by the ending of its name. */
export function mediaTypeOfUrl(url: string): string | undefined {
  const ofData = /^data:([^;,]+)/.exec(url)?.[1]
  if (ofData !== undefined || url.startsWith('data:')) return ofData
  const ending = /\.(\w{2,4})$/.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase()
  return ending === undefined ? undefined : TYPES[ending]
}
