import type { FilePart } from '../api/types.ts'

/** In base64 in a JSON body, this is the most that the server takes by default. */
const MAX_FILE_BYTES = 5_000_000

type FilesRead = { readonly parts: readonly FilePart[]; readonly tooLarge: string | undefined }

/** Reads files into parts of a message. */
export async function readFiles(files: readonly File[]): Promise<FilesRead> {
  const accepted = files.filter(({ size }) => size <= MAX_FILE_BYTES)
  return {
    parts: await Promise.all(accepted.map(readFile)),
    tooLarge: files.find(({ size }) => size > MAX_FILE_BYTES)?.name,
  }
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
