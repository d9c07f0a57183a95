import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { limitBodySize, validateBody, readOptionalJsonBody } from '@dragoman/agent-kit/json-body'
import { idField, limitInBody } from '../fields.ts'
import { progressStream } from '../progress-stream.ts'
import { enrichedShape, type Enrichment } from './enrichment.ts'

/** Postings of one request. */
export const DEFAULT_LIMIT = 10
export const MAX_LIMIT = 50

const MAX_BODY_BYTES = 10_000
const WRONG_ID = 'jobId must be a positive whole number'

const body = z
  .object({
    limit: limitInBody(MAX_LIMIT),
    jobId: z.int(WRONG_ID).positive(WRONG_ID).nullish(),
  })
  .meta({ examples: [{ limit: 5 }] })

const path = z.object({ id: idField('Invalid job id') })

const group = 'Postings'

const counts = { processed: 2, enriched: 1, skipped: 0 }
const exampleFrames = [
  { type: 'progress', status: 'processing', ...counts, total: 3, errors: [], jobId: 8, title: 'Engineer' },
  {
    type: 'complete',
    status: 'complete',
    ...counts,
    errors: [{ jobId: 7, error: 'The page is gone (404).' }],
  },
]

const many: Operation = {
  group,
  summary: 'Read the pages of postings that have no description',
  description:
    'Ten without a body, the newest first: one page every two seconds from a host, if robots.txt allows it. The ' +
    'answer reports the progress, then the result. A caller who leaves stops it; stored results stay.',
  body: body.optional(),
  responses: {
    200: {
      description: 'The progress.',
      streams: [
        {
          contentType: 'text/event-stream',
          protocol: 'progress',
          example: exampleFrames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''),
        },
      ],
    },
  },
  errors: ['not-found'],
}

const one: Operation = {
  group,
  summary: "Read a posting's page",
  description: 'Also after a recent failure. Only missing fields are filled.',
  params: path,
  responses: { 200: { description: 'The result.', json: enrichedShape } },
  errors: ['not-found'],
}

/** The REST routes that complete postings. */
export function intakeRoutes(enrichment: Enrichment, report: (error: unknown) => void): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post(
      '/enrich',
      describeRoute(many),
      limitBodySize(MAX_BODY_BYTES, 'The body may have at most 10 KB'),
      async (c) => {
        const { limit, jobId } = await readOptionalJsonBody(c, body)
        const request = { limit: limit ?? DEFAULT_LIMIT, jobId: jobId ?? undefined }
        // A wrong request gets an error status instead of a frame.
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
