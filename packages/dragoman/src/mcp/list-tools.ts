import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'

import { resultOf } from './repair-message.ts'
import { isNotOffered, isServerError } from './server-errors.ts'

/** The time of all pages together. */
const LIST_TIMEOUT_MS = 30_000
/** Limits of an endless list. */
const MAX_PAGES = 100
const MAX_LISTED_TOOLS = 5000

const anyResult = z.looseObject({})

/** How long a list holds of which its server does not say that. */
const DEFAULT_TTL_MS = 300_000
const MAX_TTL_MS = 86_400_000

/** A server's list as it came. `fault` says why its end is missing. `ttlMs`: how long it holds. */
export type RawToolList = {
  readonly tools: readonly unknown[]
  readonly fault?: string
  readonly ttlMs: number
}

/**
 * Reads all pages. The list ends with a page without a cursor, with an empty one, and with one that was there before.
 * @throws why there is no first page
 */
export async function listTools(client: Client): Promise<RawToolList> {
  const found: unknown[] = []
  const ttls = [MAX_TTL_MS]
  const end = (fault?: string): RawToolList => ({
    tools: found.slice(0, MAX_LISTED_TOOLS),
    ...(fault !== undefined && { fault }),
    ttlMs: ttls.length === 1 ? DEFAULT_TTL_MS : Math.min(...ttls),
  })
  if (!client.getServerCapabilities()?.tools) return end()
  const cursors = new Set<string | number>()
  const signal = AbortSignal.timeout(LIST_TIMEOUT_MS)
  let cursor: string | number | undefined
  for (let pages = 1; ; pages++) {
    let page: ReturnType<typeof resultOf>
    try {
      // A number goes back as it came.
      const params = cursor === undefined ? {} : { cursor: cursor as string }
      const request = { method: 'tools/list', params } as const
      page = resultOf(await client.request(request, anyResult, { timeout: LIST_TIMEOUT_MS, signal }))
    } catch (error) {
      // The pages before it are as good as they were.
      if (pages > 1 && (isServerError(error) || signal.aborted))
        return end(`page ${pages} of its list cannot be read`)
      if (isNotOffered(error)) return end()
      throw error
    }
    const { tools, nextCursor = null, ttlMs } = page
    if (!Array.isArray(tools)) return end('tools of tools/list is no list')
    found.push(...tools)
    if (typeof ttlMs === 'number' && ttlMs > 0) ttls.push(ttlMs)
    if (nextCursor === null || nextCursor === '') return end()
    if (typeof nextCursor !== 'string' && typeof nextCursor !== 'number')
      return end('nextCursor of tools/list is no text')
    if (cursors.has(nextCursor)) return end()
    if (pages === MAX_PAGES || found.length >= MAX_LISTED_TOOLS)
      return end('its list has too many pages or tools')
    cursors.add(nextCursor)
    cursor = nextCursor
  }
}
