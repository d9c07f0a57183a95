import type { Client } from '@modelcontextprotocol/sdk/client/index.js'

import { isServerError } from './server-errors.ts'

/** The time of all pages together. */
const LIST_TIMEOUT_MS = 30_000
/** Limits of an endless list. */
const MAX_PAGES = 100
const MAX_LISTED_TOOLS = 5000

/** A server's list as it came. `fault` says why its end is missing. */
export type RawToolList = { readonly tools: readonly unknown[]; readonly fault?: string }

/**
 * Reads all pages. The list ends with a page without a cursor, with an empty one, and with one that was there before.
 * @throws why there is no first page
 */
export async function listTools(client: Client): Promise<RawToolList> {
  if (!client.getServerCapabilities()?.tools) return { tools: [] }
  const { ResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
  const found: unknown[] = []
  const cursors = new Set<string>()
  const signal = AbortSignal.timeout(LIST_TIMEOUT_MS)
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    let page: { readonly [field: string]: unknown }
    try {
      const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } } as const
      page = await client.request(request, ResultSchema, { timeout: LIST_TIMEOUT_MS, signal })
    } catch (error) {
      // The pages before it are as good as they were.
      if (pages > 1 && (isServerError(error) || signal.aborted))
        return { tools: found, fault: `page ${pages} of its list cannot be read` }
      throw error
    }
    const { tools, nextCursor } = page
    if (!Array.isArray(tools)) return { tools: found, fault: 'tools of tools/list is no list' }
    found.push(...(tools as unknown[]))
    if (typeof nextCursor !== 'string' || nextCursor === '' || cursors.has(nextCursor))
      return { tools: found }
    if (pages === MAX_PAGES || found.length >= MAX_LISTED_TOOLS)
      return { tools: found.slice(0, MAX_LISTED_TOOLS), fault: 'its list has too many pages or tools' }
    cursors.add(nextCursor)
    cursor = nextCursor
  }
}
