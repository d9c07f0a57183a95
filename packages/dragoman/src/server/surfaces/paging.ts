import type { Context } from 'hono'
import { z } from 'zod'

import type { Json } from '../../events/index.ts'
import { parseBody } from '../../protocols/index.ts'
import type { PathEnd } from '../../threads/index.ts'
import type { Conversations } from './surface-services.ts'

/** Query parameters of a page: its size and its start. */
export function pageQuery({ usual, most }: { usual: number; most: number }) {
  const error = `must be a whole number from 1 to ${most}.`
  return z.object({
    limit: z
      .preprocess(
        (value) => (value === '' || value === null ? undefined : value),
        z.coerce
          .number({ error })
          .int({ error })
          .overwrite((limit) => Math.min(Math.max(limit, 1), most))
          .default(usual),
      )
      .default(usual)
      .describe(`From 1 to ${most}; one out of this range counts as its nearer end.`),
    before: z.string().exactOptional().describe('The id of the last one seen: what follows it.'),
  })
}

/** Validates the query. @throws ServiceError `invalid-request` that names the first invalid field */
export function readQuery<S extends z.ZodObject>(c: Context, schema: S): z.infer<S> {
  return parseBody(schema, c.req.query() as Json)
}

type Page = { readonly limit: number; readonly before?: string }

/** Reads the end of a thread's chosen path, or what precedes a message. Messages are read later. */
export async function readPage(
  threadId: string,
  { limit, before }: Page,
  { history, messagePages }: Pick<Conversations, 'history' | 'messagePages'>,
): Promise<PathEnd> {
  if (before === undefined) return messagePages.end(threadId, { limit })
  const leaf = (await history.find(threadId, before))?.row.parent_id
  return leaf ? messagePages.end(threadId, { leaf, limit }) : EMPTY_PAGE
}

const EMPTY_PAGE: PathEnd = { places: [], async *pages() {} }
