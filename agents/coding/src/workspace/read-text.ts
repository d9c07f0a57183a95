import { ServiceError } from 'dragoman/errors'
import { decode, detectEncoding, type Encoding } from './encoding.ts'
import { shortPath, fileError } from './file-error.ts'
import { binaryKind, looksBinary } from './looks-binary.ts'
import { openFile } from './open-file.ts'
import type { WorkspacePath } from './resolve-workspace-path.ts'
import { fileStamp } from './file-stamp.ts'

/** A file, whole. */
export type FileBytes = {
  readonly bytes: Uint8Array
  /** Another one once the file has changed. */
  readonly stamp: string
}

/** A file that is wanted whole may have as many bytes. */
export const MAX_TEXT_BYTES = 10 * 1024 * 1024

/** The bytes of a text file. @throws ServiceError as `openFile`, `too-large`, `invalid-input` for what is no text */
export async function readTextBytes(place: WorkspacePath): Promise<FileBytes> {
  const file = await readBytes(place)
  if (looksBinary(file.bytes)) throw binaryError(place.displayPath, file.bytes, file.bytes.length)
  return file
}

/** The text of a file, without its BOM. */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly encoding: Encoding } {
  const encoding = detectEncoding(bytes)
  return { text: decode(bytes, encoding), encoding }
}

/** @throws ServiceError as `openFile`, `too-large` */
export async function readBytes(place: WorkspacePath): Promise<FileBytes> {
  await using file = await openFile(place)
  try {
    const found = await file.stat({ bigint: true })
    if (found.size > MAX_TEXT_BYTES) throw tooLargeError(place.displayPath, Number(found.size))
    // Of a file that grows meanwhile no more than was there.
    const bytes = Buffer.alloc(Number(found.size))
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return { bytes: bytes.subarray(0, length), stamp: fileStamp(found) }
  } catch (error) {
    throw fileError(place.displayPath, error)
  }
}

/** `head` are its first bytes. */
export function binaryError(displayPath: string, head: Uint8Array, size: number): ServiceError {
  const sentence = `${shortPath(displayPath)} is ${binaryKind(head)} (${formatSize(size)}), not text.`
  return new ServiceError('invalid-input', sentence)
}

function tooLargeError(displayPath: string, size: number): ServiceError {
  const sizes = `${formatSize(size)}; at most ${formatSize(MAX_TEXT_BYTES)} are taken whole`
  return new ServiceError('too-large', `${shortPath(displayPath)} is too large: ${sizes}.`)
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** As `12 KB`. */
export function formatSize(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const count = bytes / 1024 ** step
  return `${step === 0 || count >= 100 ? Math.round(count) : Number(count.toFixed(1))} ${units[step] ?? ''}`
}
