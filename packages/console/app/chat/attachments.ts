import type { FilePart } from '../api/types.ts'

/** The server takes requests of 4 MB, in which files are in base64. */
export const MAX_FILES_BYTES = 2_900_000

/** Reads files into parts of a message. */
export function readFiles(files: readonly File[]): Promise<readonly FilePart[]> {
  return Promise.all(files.map(readFile))
}

/** The bytes of a file, from its base64. */
export function sizeOf({ url }: FilePart): number {
  return Math.floor((url.length - url.indexOf(',')) * 0.75)
}

async function readFile(file: File): Promise<FilePart> {
  const mediaType = file.type === '' ? 'application/octet-stream' : file.type
  const bytes = new Uint8Array(await file.arrayBuffer())
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(reader.result as string))
  reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)))
  // The reader takes the media type of the blob. A file without one must have one in its URL.
  reader.readAsDataURL(new Blob([bytes], { type: mediaType }))
  return { type: 'file', url: await promise, mediaType, ...(file.name !== '' && { filename: file.name }) }
}
