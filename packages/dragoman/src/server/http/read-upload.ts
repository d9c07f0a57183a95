import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import type { HttpEnv } from './http-env.ts'
import { readMultipart, type MultipartPart } from './multipart.ts'

/** Of a body with a file: what its parts need besides the file. */
const MAX_OTHER_BYTES = 64 * 1024

/**
 * Gives the one file of a multipart body to `store`, while it comes.
 * @throws ServiceError `invalid-request`, `too-large`, and what `store` throws
 */
export async function readUpload<T>(
  c: Context<HttpEnv>,
  maxBytes: number,
  store: (file: Required<MultipartPart>) => Promise<T>,
): Promise<T> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes + MAX_OTHER_BYTES)
    throw new ServiceError('too-large', `The file is larger than ${maxBytes} bytes (limits.fileBytes).`)
  let stored: { readonly value: T } | undefined
  for await (const part of readMultipart(bodyOf(c), c.req.header('content-type') ?? '')) {
    const { filename } = part
    if (filename === undefined) continue
    if (stored)
      throw new ServiceError('invalid-request', 'The body has two files. Send each in a request of its own.')
    stored = { value: await store({ ...part, filename }) }
  }
  if (stored) return stored.value
  throw new ServiceError('invalid-request', 'The body has no file: add one to the form, with its name.')
}

/** The body, piece by piece. What has been read is held no more. */
async function* bodyOf(c: Context<HttpEnv>): AsyncGenerator<Uint8Array, void> {
  const progress = c.get('progress')
  if (progress) progress.isUpload = true
  try {
    for await (const piece of c.req.raw.body ?? []) {
      yield piece
      progress?.addBytes(-piece.byteLength)
    }
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The body was cut off.', { cause })
  }
}
