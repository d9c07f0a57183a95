import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import { describeJsonError, type Json } from '../../events/index.ts'
import { createJsonValueCounter } from './json-value-counter.ts'

/** Enough for the history of a chat with a picture. A larger body is parsed and stored for too long. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** Reads a JSON body. @throws ServiceError `too-large`, or `invalid-request` with the position of the error */
export async function readJson(c: Context, maxBytes: number = MAX_BODY_BYTES): Promise<Json> {
  const text = await readBodyText(c, maxBytes)
  return parse(text)
}

/** Reads a JSON body that may be missing. */
export async function readJsonIfAny(c: Context): Promise<Json | undefined> {
  const text = await readBodyText(c, MAX_BODY_BYTES)
  return text === '' ? undefined : parse(text)
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new ServiceError('invalid-request', `Invalid JSON${describeJsonError(text)}.`, { cause: error })
  }
}

/**
 * Reads a body as text, and counts its bytes and JSON values as they arrive: a content-length may be missing or wrong.
 * @throws ServiceError `too-large`, or `invalid-request` if it is incomplete, not UTF-8, or has too many values
 */
export async function readBodyText(c: Context, maxBytes: number): Promise<string> {
  const tooLarge = (): ServiceError =>
    new ServiceError('too-large', `The body is larger than ${maxBytes} bytes.`)
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  const countValues = createJsonValueCounter()
  let size = 0
  for await (const chunk of readChunks(c)) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    countValues(chunk)
    chunks.push(chunk)
  }
  // The request was refused meanwhile as too slow, so it must have no effect.
  if (c.error) throw c.error
  return decodeUtf8(Buffer.concat(chunks))
}

/** Refuses invalid UTF-8. Replacement characters would be stored otherwise. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The body is not UTF-8.', { cause })
  }
}

/** A caller that disconnects while it sends is not an error of the server. */
async function* readChunks(c: Context): AsyncGenerator<Uint8Array, void> {
  try {
    yield* c.req.raw.body ?? []
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The body was cut off.', { cause })
  }
}
