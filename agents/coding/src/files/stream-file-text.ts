import type { FileHandle } from 'node:fs/promises'

import { createDecoder, detectEncoding, type Encoding } from '../workspace/encoding.ts'
import { looksBinary } from '../workspace/looks-binary.ts'
import { binaryError, MAX_TEXT_BYTES } from '../workspace/read-text.ts'

/** Bytes of one read. The first piece determines the encoding of a large file. */
const PIECE_BYTES = 256 * 1024

/** A file's text as it is read. */
export type TextStream = { readonly encoding: Encoding; readonly text: AsyncGenerator<string> }

/**
 * Reads text in chunks. A small file is read whole to detect its encoding.
 * @throws ServiceError `invalid-input` for a binary file
 */
export async function streamFileText(
  file: FileHandle,
  { displayPath, size }: { displayPath: string; size: number },
): Promise<TextStream> {
  const head = await read(file, size > 0 && size <= MAX_TEXT_BYTES ? size : PIECE_BYTES)
  if (looksBinary(head)) throw binaryError(displayPath, head, size)
  const encoding = detectEncoding(head)
  return { encoding, text: pieces(file, { head, encoding }) }
}

async function* pieces(
  file: FileHandle,
  { head, encoding }: { head: Uint8Array; encoding: Encoding },
): AsyncGenerator<string> {
  const next = createDecoder(encoding)
  yield next(head)
  for (;;) {
    const bytes = await read(file, PIECE_BYTES)
    if (bytes.length === 0) break
    yield next(bytes)
  }
  yield next()
}

async function read(file: FileHandle, most: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, null)
  return buffer.subarray(0, bytesRead)
}
