import { createHash } from 'node:crypto'

import type { Context } from 'hono'

/** A response body that is created once, with its ETag. */
export type CachedBody = { readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string }

export function createCachedBody(text: string): CachedBody {
  const bytes = new Uint8Array(Buffer.from(text))
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

/** Responds with the body, or with 304 if the client has it. */
export function sendCached(
  c: Context,
  { bytes, etag }: CachedBody,
  headers: Readonly<Record<string, string>>,
): Response {
  const listed = (c.req.header('if-none-match') ?? '').split(',')
  const etags = new Set(listed.map((each) => each.trim().replace(/^W\//, '')))
  const all = { ...headers, etag, 'cache-control': 'no-cache', vary: 'host' }
  return etags.has(etag) || etags.has('*') ? c.body(null, 304, all) : c.body(bytes, 200, all)
}
