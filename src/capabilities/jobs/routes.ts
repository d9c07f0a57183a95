import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

import type { Door } from '../../agent/index.ts'
import { ServiceError } from '../../errors.ts'
import { jsonMistake } from '../../events/index.ts'
import { newPostingBody, pageBody, readBody, readCount, readFlag, readId } from './body.ts'
import type { Postings } from './postings.ts'
import { statusFilter } from './status.ts'

/** A whole page with its pictures inlined is smaller than this. */
const MOST_PAGE_BYTES = 20 * 1024 * 1024
const MOST_POSTING_BYTES = 1024 * 1024

/** The REST routes of the postings. */
export function jobsRoutes(postings: Postings): Hono<Door> {
  return new Hono<Door>()
    .get('/', async (c) => {
      const query = c.req.query()
      const filters = {
        status: statusFilter('status', query['status']),
        starred: readFlag('starred', query['starred']),
        search: query['search'],
      }
      const page = {
        limit: readCount('limit', query['limit'], [1, 100, 20]),
        offset: readCount('offset', query['offset'], [0, Number.MAX_SAFE_INTEGER, 0]),
      }
      return c.json(await postings.list(c.get('userId'), filters, page))
    })
    .post('/', atMost(MOST_POSTING_BYTES, 'A posting may have at most 1 MB'), async (c) => {
      const saved = await postings.create(c.get('userId'), await readBody(c, newPostingBody, jsonMistake))
      return c.json(saved, saved.created ? 201 : 200)
    })
    .post('/ingest', atMost(MOST_PAGE_BYTES, 'A page may have at most 20 MB'), async (c) => {
      const saved = await postings.ingest(c.get('userId'), await readBody(c, pageBody))
      return c.json({ status: 'ok', ...saved })
    })
    .get('/:id', async (c) => {
      const job = await postings.get(c.get('userId'), readId(c.req.param('id')))
      return c.json({ job, analysis: null })
    })
}

/** Counts what comes, whether or not its length was announced, before anything reads it. */
function atMost(maxSize: number, sentence: string): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new ServiceError('too-large', sentence)
    },
  })
}
