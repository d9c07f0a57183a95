import type { FileHandle } from 'node:fs/promises'

import { decoderOf, encodingOf, type Encoding } from '../workspace/encoding.ts'
import { looksBinary } from '../workspace/looks-binary.ts'
import { binary, MAX_TEXT_BYTES } from '../workspace/read-text.ts'

/** How much is read at a time, in bytes. By the first of them the encoding of a large file is told. */
const PIECE = 256 * 1024

/** A file's text as it is read. */
export type Reading = { readonly encoding: Encoding; readonly text: AsyncGenerator<string> }

/** Reads text piece by piece: the encoding of what is not large is told by all of it. @throws ServiceError `invalid-input` for what is no text; while it is read, the signal's reason */
export async function textOf(
  file: FileHandle,
  { shown, size, signal }: { shown: string; size: number; signal: AbortSignal },
): Promise<Reading> {
  const head = await read(file, size > 0 && size <= MAX_TEXT_BYTES ? size : PIECE)
  if (looksBinary(head)) throw binary(shown, head, size)
  const encoding = encodingOf(head)
  return { encoding, text: pieces(file, { head, encoding, signal }) }
}

async function* pieces(
  file: FileHandle,
  { head, encoding, signal }: { head: Uint8Array; encoding: Encoding; signal: AbortSignal },
): AsyncGenerator<string> {
  const next = decoderOf(encoding)
  yield next(head)
  for (;;) {
    signal.throwIfAborted()
    const bytes = await read(file, PIECE)
    if (bytes.length === 0) break
    yield next(bytes)
  }
  yield next()
}

async function read(file: FileHandle, most: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, null)
  return buffer.subarray(0, bytesRead)
}
