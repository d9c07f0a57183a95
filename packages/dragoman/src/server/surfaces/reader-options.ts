import type { Context } from 'hono'

import type { HttpEnv } from '../http/index.ts'

/** What a reader says of itself in its query, and where it found the server. */
export function readerOptions(c: Context<HttpEnv>): Readonly<Record<string, string>> {
  return { ...c.req.query(), origin: originOf(c) + c.get('basePath') }
}

/** A page of this server knows whether its connection is encrypted. Behind a proxy, the server does not. */
function originOf(c: Context<HttpEnv>): string {
  const own = new URL(c.req.url)
  const pages = [c.req.header('origin'), c.req.header('referer')]
  const page = pages.find((url = '') => URL.canParse(url) && new URL(url).host === own.host)
  return page === undefined ? own.origin : new URL(page).origin
}
