import { Hono } from 'hono'
import { z } from 'zod'

import { limitBodySize, readJsonBody } from '@dragoman/agent-kit/json-body'
import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { neededLine } from '../fields.ts'
import { webUrl } from '../pages/canonical-url.ts'
import { savedShape } from '../postings/openapi.ts'
import { MAX_URL_LENGTH } from '../postings/request-schemas.ts'
import type { PostingImport } from './import-posting.ts'

const MAX_BODY_BYTES = 10_000

const importBody = z
  .object({ url: neededLine('url', MAX_URL_LENGTH) })
  .meta({ examples: [{ url: 'https://boards.greenhouse.io/acme/jobs/7' }] })
  .transform(({ url }) => webUrl('url', url))

const operation: Operation = {
  group: 'Postings',
  summary: 'Add a posting by its address',
  description:
    'The server reads the page, or asks the board that it belongs to, if robots.txt allows it. A known posting gets ' +
    'its missing fields. Sites that show postings to browsers only are refused: send their page to `/jobs/ingest`.',
  body: importBody,
  responses: {
    201: { description: 'The new posting.', json: savedShape },
    200: { description: 'The known posting.', json: savedShape },
  },
  errors: ['not-found', 'forbidden', 'unavailable', 'rate-limited', 'timed-out', 'too-large'],
}

/** The REST route that reads a posting at its URL. */
export function importRoutes(postings: PostingImport): Hono<AppEnv> {
  return new Hono<AppEnv>().post(
    '/import',
    describeRoute(operation),
    limitBodySize(MAX_BODY_BYTES, 'The body may have at most 10 KB'),
    async (c) => {
      const saved = await postings.run(c.get('userId'), await readJsonBody(c, importBody), c.req.raw.signal)
      return c.json(saved, saved.created ? 201 : 200)
    },
  )
}
