import { Hono } from 'hono'

import { describeRoute, type AppEnv, type ToolModel } from 'dragoman/agents'
import { limitBodySize, validateBody, readOptionalJsonBody } from '@dragoman/agent-kit/json-body'
import { postingPath } from '../postings/request-schemas.ts'
import { progressStream } from '../progress-stream.ts'
import type { Analyst } from './analyst.ts'
import type { Batch } from './batch.ts'
import { analyzeBody, batchBody, judgementQuery } from './request-schemas.ts'
import * as operations from './openapi.ts'
import type { Prescorer } from './prescorer.ts'

const small = limitBodySize(64 * 1024, 'The body may have at most 64 KB')

export type Judging = {
  readonly prescorer: Prescorer
  readonly analyst: Analyst
  readonly batch: Batch
  /** The model of the agent, which a user asks. */
  readonly modelFor: (userId: string) => ToolModel
  readonly report: (error: unknown) => void
}

/** The REST routes that judge how postings and resumes fit. */
export function judgingRoutes({ prescorer, analyst, batch, modelFor, report }: Judging): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/:id/prescore', describeRoute(operations.prescore), async (c) => {
      const { id } = validateBody(postingPath, c.req.param())
      const request = { jobId: id, ...validateBody(judgementQuery, c.req.query()) }
      return c.json((await prescorer(c.get('userId'), request)).result)
    })
    .get('/:id/analysis', describeRoute(operations.analysis), async (c) => {
      const { id } = validateBody(postingPath, c.req.param())
      const { resumeId } = validateBody(judgementQuery, c.req.query())
      return c.json({ analysis: await analyst.newest(c.get('userId'), id, resumeId) })
    })
    .post('/analyze', describeRoute(operations.analyzeAll), small, async (c) => {
      const request = await readOptionalJsonBody(c, batchBody)
      const userId = c.get('userId')
      // What is wrong before it begins is an answer of its own, and no frame.
      await batch.ready(userId, request)
      return progressStream(c, report, async (tell, signal) => {
        const result = await batch.run(userId, request, { model: modelFor(userId), signal }, (news) =>
          tell({ type: 'progress', status: 'processing', ...news }),
        )
        return { type: 'complete', status: 'complete', ...result }
      })
    })
    .post('/:id/analyze', describeRoute(operations.analyze), small, async (c) => {
      const { id } = validateBody(postingPath, c.req.param())
      const request = { jobId: id, ...(await readOptionalJsonBody(c, analyzeBody)) }
      const userId = c.get('userId')
      const judge = { model: modelFor(userId), signal: c.req.raw.signal }
      return c.json({ analysis: (await analyst.analyze(userId, request, judge)).analysis })
    })
}
