import type { Context } from 'hono'
import { z } from 'zod'

import type { Json } from '../events/index.ts'
import { readBody } from '../protocols/index.ts'

/** How much a list gives, and from where on. */
export function pageQuery({ usual, most }: { usual: number; most: number }) {
  const error = `must be a whole number from 1 to ${most}.`
  return z.object({
    limit: z.coerce.number({ error }).int({ error }).min(1, { error }).max(most, { error }).default(usual),
    before: z.string().exactOptional().describe('The id of the last one seen: what follows it.'),
  })
}

/** @throws ServiceError `invalid-request`, naming the first wrong field */
export function readQuery<S extends z.ZodObject>(c: Context, schema: S): z.infer<S> {
  return readBody(schema, c.req.query() as Json)
}
