import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { limitBodySize, validateBody, readOptionalJsonBody } from '@dragoman/agent-kit/json-body'
import { idField } from '../fields.ts'
import { progressStream } from '../progress-stream.ts'
import { enrichedShape, type Enrichment } from './enrichment.ts'

/** How many postings are looked for at once, unless told, and at most. */
export const USUAL_LIMIT = 10
export const MAX_LIMIT = 50

const MAX_BODY_BYTES = 10_000
const WRONG_LIMIT = `limit must be a whole number, from 1 to ${MAX_LIMIT}`
const WRONG_ID = 'jobId must be a positive whole number'

const body = z
  .object({
    limit: z.int(WRONG_LIMIT).min(1, WRONG_LIMIT).max(MAX_LIMIT, WRONG_LIMIT).nullish(),
    jobId: z.int(WRONG_ID).positive(WRONG_ID).nullish(),
  })
  .meta({ examples: [{ limit: 5 }] })

const path = z.object({ id: idField('Invalid job id') })

const group = 'Postings'

const many: Operation = {
  group,
  summary: 'Read the pages of postings that have no description',
  description:
    'Without a body, ten of them. The newest first, politely: one page every two seconds from one host, as robots.txt allows. Tells how it goes, and at last what came of it; who leaves stops it, and what is done stays done.',
  body: body.optional(),
  responses: {
    200: {
      description: 'How it goes.',
      streams: [
        {
          contentType: 'text/event-stream',
          protocol: 'progress',
          example:
            'data: {"type":"progress","status":"processing","processed":1,"total":2,"enriched":1,"skipped":0,"errors":[],"jobId":8,"title":"Engineer"}\n\n' +
            'data: {"type":"complete","status":"complete","processed":2,"enriched":1,"skipped":0,"errors":[{"jobId":7,"error":"The page is gone (404)."}]}\n\n',
        },
      ],
    },
  },
  errors: ['not-found'],
}

const one: Operation = {
  group,
  summary: "Read a posting's page",
  description:
    'Also where it failed lately. What the posting says already stays; what it lacks is filled in.',
  params: path,
  responses: { 200: { description: 'What came of it.', json: enrichedShape } },
  errors: ['not-found'],
}

/** The REST routes that look for what postings lack. */
export function intakeRoutes(enrichment: Enrichment, report: (error: unknown) => void): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post(
      '/enrich',
      describeRoute(many),
      limitBodySize(MAX_BODY_BYTES, 'The body may have at most 10 KB'),
      async (c) => {
        const { limit, jobId } = await readOptionalJsonBody(c, body)
        const request = { limit: limit ?? USUAL_LIMIT, jobId: jobId ?? undefined }
        // What is wrong before it begins is an answer of its own, and no frame.
        await enrichment.ready(c.get('userId'), request)
        return progressStream(c, report, async (tell, signal) => {
          const result = await enrichment.run(c.get('userId'), request, {
            signal,
            tell: ({ posting: { id, ...posting }, ...done }) =>
              tell({ type: 'progress', status: 'processing', ...done, jobId: id, ...posting }),
          })
          return { type: 'complete', status: 'complete', ...result }
        })
      },
    )
    .post('/:id/enrich', describeRoute(one), async (c) => {
      const { id } = validateBody(path, c.req.param())
      const { signal } = c.req.raw
      return c.json(
        await enrichment.run(c.get('userId'), { limit: 1, jobId: id }, { signal, tell: () => undefined }),
      )
    })
}
