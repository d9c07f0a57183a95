import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import type { Json } from '../../events/index.ts'
import { jsonErrorOffset } from './json-place.ts'

/** A chat's whole history fits; what is larger is a mistake or worse. */
const MOST_BYTES = 4 * 1024 * 1024

/** A request's JSON. @throws ServiceError `too-large`, or `invalid-request` with the place of the mistake */
export async function readJson(c: Context, most: number = MOST_BYTES): Promise<Json> {
  const text = await readText(c, most)
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new ServiceError('invalid-request', `Invalid JSON${placeOf(text)}.`, { cause: error })
  }
}

/** Counted as it comes: a length that was announced may be missing or a lie. */
async function readText(c: Context, most: number): Promise<string> {
  const tooLarge = new ServiceError('too-large', `The body is larger than ${most} bytes.`)
  if (Number(c.req.header('content-length') ?? 0) > most) throw tooLarge
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength
    if (size > most) throw tooLarge
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function placeOf(text: string): string {
  if (text.trim() === '') return ': the body is empty'
  const offset = jsonErrorOffset(text)
  if (offset >= text.length) return ': it ends too early'
  const before = text.slice(0, offset).split('\n')
  return ` at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
