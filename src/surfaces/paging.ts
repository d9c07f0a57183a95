import type { Context } from 'hono'

import { ServiceError } from '../errors.ts'

/** How much a list gives: `?limit=` (1 to `most`) and `?before=`, the id of the last one seen. */
export function pageOf(
  c: Context,
  { usual, most }: { usual: number; most: number },
): { limit: number; before?: string } {
  const { limit: asked, before } = c.req.query()
  const limit = asked === undefined ? usual : Number(asked)
  if (!Number.isInteger(limit) || limit < 1 || limit > most) {
    throw new ServiceError('invalid-request', `limit: must be a whole number from 1 to ${most}.`)
  }
  return { limit, ...(before !== undefined && { before }) }
}
