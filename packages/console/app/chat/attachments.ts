import { client } from '../api/client.ts'
import { RequestError } from '../api/request.ts'
import type { FilePart } from '../api/types.ts'
import { typeOf } from './file-kinds.ts'
import { scaleImage } from './scale-image.ts'

/** A message with files in it: the server takes requests of 4 MB, in which files are in base64. */
const MAX_INLINE_BYTES = 2_900_000
/** As messages have it. The address in the reply of an upload may begin with the path of the server. */
const FILES_PATH = '/v1/files/'

/**
 * Makes a file a part of a message. It is sent to the server at once, and stays in the page if the server cannot be
 * reached, or knows the user no longer. @throws RequestError
 */
export async function attach(file: File): Promise<FilePart> {
  const type = await typeOf(file)
  const ready = await scaleImage(file.type === type ? file : new File([file], file.name, { type }))
  const form = new FormData()
  form.append('file', ready)
  try {
    const { id, mediaType } = await client.call('POST /v1/files', { form })
    return partOf(ready, FILES_PATH + id, mediaType)
  } catch (error) {
    const isAway = error instanceof RequestError && (error.status === 0 || error.status === 401)
    if (!isAway || ready.size > MAX_INLINE_BYTES) throw error
    return partOf(ready, await toDataUrl(ready), ready.type)
  }
}

function partOf({ name }: File, url: string, mediaType: string): FilePart {
  return { type: 'file', url, mediaType, ...(name !== '' && { filename: name }) }
}

/** Whether the server has the file. It deletes what no message shows after a day. */
export function isStored({ url }: FilePart): boolean {
  return url.startsWith(FILES_PATH)
}

async function toDataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(reader.result as string))
  reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)))
  reader.readAsDataURL(file)
  return promise
}
