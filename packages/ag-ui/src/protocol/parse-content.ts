import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { isJsonObject, namedFileId, type Json, type UserPart } from 'dragoman/events'
import { anyJson, parseBody, filePartSchema, mediaTypeOfUrl } from 'dragoman/protocols'

/** The content of a message: a text, or parts. Unknown parts are ignored. */
export const content = z
  .union(
    [z.string(), z.array(z.object({ type: z.string() }).catchall(anyJson))],
    'must be a text or a list of parts',
  )
  .nullish()
export type Content = z.infer<typeof content>

const text = z.looseObject({ text: z.string() })
const original = z.looseObject({ name: z.string(), mimeType: z.string().nullish() })
const transformed = text.extend({ originalFile: original.nullish() })
const source = z.looseObject({
  type: z.string(),
  value: z.string(),
  mimeType: z.string().nullish(),
})
const media = z.looseObject({
  type: z.string(),
  source: source.nullish(),
  url: z.string().nullish(),
  data: z.string().nullish(),
  id: z.string().nullish(),
  mimeType: z.string().nullish(),
  filename: z.string().nullish(),
})
const MEDIA = new Set(['image', 'audio', 'video', 'document', 'binary', 'file'])

/** The text of a message. Blank lines separate its parts. A part that is odd has none. */
export function textIn(input: Content, place: string): string {
  if (typeof input === 'string') return input
  return (input ?? [])
    .map(fromOpenAi)
    .filter((part) => typeof part['text'] === 'string')
    .flatMap((part, index) => wordsIn(part, `${place}.${index}`))
    .filter((pieces) => pieces !== '')
    .join('\n\n')
}

/**
 * All parts of a message, including files.
 * @throws ServiceError `invalid-request` that names an invalid part
 */
export function partsIn(input: Content, place: string): UserPart[] {
  if (typeof input === 'string') return input === '' ? [] : [{ type: 'text', text: input }]
  return (input ?? []).map(fromOpenAi).flatMap((part, index): UserPart[] => {
    const at = `${place}.${index}`
    if (MEDIA.has(part.type)) return [fileIn(parseBody(media, part, at), at)]
    return wordsIn(part, at).flatMap((pieces) => (pieces === '' ? [] : [{ type: 'text', text: pieces }]))
  })
}

type Part = { readonly type: string; readonly [field: string]: Json }

/** Clients that also speak to OpenAI's APIs send the parts of these. */
function fromOpenAi(part: Part): Part {
  const { image_url: image = null, file = null } = part
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { ...part, type: 'text' }
    case 'image_url':
    case 'input_image':
      return { type: 'image', url: isJsonObject(image) ? (image['url'] ?? null) : image }
    case 'file':
    case 'input_file': {
      const { file_data: data, file_url: url, filename = null } = isJsonObject(file) ? file : part
      return data === undefined && url === undefined
        ? part
        : { type: 'file', url: data ?? url ?? null, filename }
    }
    default:
      return part
  }
}

function wordsIn(part: Part, place: string): string[] {
  if (part.type === 'text') return [parseBody(text, part, place).text]
  if (part.type !== 'transformed_file') return []
  const { text: pieces, originalFile } = parseBody(transformed, part, place)
  const kind = originalFile?.mimeType ? ` (${originalFile.mimeType})` : ''
  return [originalFile ? `[Content of file "${originalFile.name}"${kind}]:\n\n${pieces}` : pieces]
}

/** In the shape of AG-UI 1.0 with a source, in the older one with data, or with an address alone, as use-ai has it. */
function fileIn(part: z.infer<typeof media>, place: string): UserPart {
  const { at, url, mimeType } = addressIn(part, place)
  const mediaType = mimeType ?? mediaTypeOfUrl(url) ?? anyTypeOf(part.type)
  const name = part.filename ?? nameIn(part['metadata'])
  const file = { type: 'file', url, mediaType, ...(name && { filename: name }) }
  const { data, error } = filePartSchema.safeParse(file)
  if (data) return data
  const ofUrl = error.issues.find(({ path: [field] }) => field === 'url')
  if (ofUrl) throw invalid(at, ofUrl.message)
  return parseBody(filePartSchema, file, place)
}

/** The type of an address that does not say it. Its content does, once it is read. */
function anyTypeOf(kind: string): string {
  return kind === 'image' || kind === 'audio' || kind === 'video' ? `${kind}/*` : ''
}

type Address = { readonly at: string; readonly url: string; readonly mimeType?: string | null | undefined }

function addressIn({ source: from, url, data, id, mimeType }: z.infer<typeof media>, place: string): Address {
  if (from?.type === 'data')
    return { at: `${place}.source.value`, url: dataUrl(from.value, from.mimeType), mimeType: from.mimeType }
  if (from?.type === 'url') return { at: `${place}.source.value`, url: from.value, mimeType: from.mimeType }
  if (typeof data === 'string') return { at: `${place}.data`, url: dataUrl(data, mimeType), mimeType }
  if (typeof url === 'string') return { at: `${place}.url`, url, mimeType }
  const stored = from?.value ?? id ?? ''
  if (namedFileId(stored) !== undefined) return { at: place, url: stored, mimeType }
  throw invalid(
    from ? `${place}.source.type` : place,
    'the file must come with the message, as its data, or with the url of POST /v1/files',
  )
}

function dataUrl(value: string, mimeType: string | null | undefined): string {
  return value.startsWith('data:') ? value : `data:${(mimeType ?? '').replaceAll(/\s/g, '')};base64,${value}`
}

function nameIn(metadata: unknown): string | undefined {
  const name = isJsonObject(metadata) ? (metadata['filename'] ?? metadata['name']) : undefined
  return typeof name === 'string' ? name : undefined
}

function invalid(place: string, pieces: string): ServiceError {
  return new ServiceError('invalid-request', `${place}: ${pieces}`)
}
