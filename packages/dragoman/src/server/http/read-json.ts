import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import { describeJsonError, type Json } from '../../events/index.ts'
import { createJsonValueCounter } from './json-value-counter.ts'

/** A chat's whole history fits; what is larger is a mistake or worse. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** A request's JSON. @throws ServiceError `too-large`, or `invalid-request` with the place of the mistake */
export async function readJson(c: Context, maxBytes: number = MAX_BODY_BYTES): Promise<Json> {
  const text = await readText(c, maxBytes)
  return parse(text)
}

/** The same of a request that may come without. */
export async function readJsonIfAny(
  c: Context,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Json | undefined> {
  const text = await readText(c, maxBytes)
  return text === '' ? undefined : parse(text)
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new ServiceError('invalid-request', `Invalid JSON${describeJsonError(text)}.`, { cause: error })
  }
}

/** Counted as it comes: a length that was announced may be missing or a lie. */
async function readText(c: Context, maxBytes: number): Promise<string> {
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

/** Words that we cannot read are not kept with holes in them. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The body is not UTF-8.', { cause })
  }
}

/** A caller who leaves in the middle is no fault of ours. */
async function* readChunks(c: Context): AsyncGenerator<Uint8Array, void> {
  try {
    yield* c.req.raw.body ?? []
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The body was cut off.', { cause })
  }
}
