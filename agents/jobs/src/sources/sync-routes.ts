import { Hono, type Context } from 'hono'
import { z } from 'zod'

import { validateBody } from '@dragoman/agent-kit/json-body'
import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { idField } from '../fields.ts'
import { progressStream } from '../progress-stream.ts'
import type { Sources } from './sources.ts'
import type { Syncs } from './sync.ts'

const query = z.object({
  source: idField('Invalid source id').optional().describe('Only this source, even if it is disabled.'),
})

const counts = { synced: 12, total: 80, newJobs: 3 }
const message = '80 postings, 3 of them new to you.'
const source = { id: 1, name: 'Greenhouse: northwind', kind: 'greenhouse' }
const exampleFrames = [
  {
    type: 'progress',
    status: 'processing',
    ...counts,
    message: `${source.name}: ${message}`,
    source: source.name,
  },
  {
    type: 'complete',
    status: 'complete',
    ...counts,
    new: 3,
    message,
    sources: [{ ...source, synced: 12, new: 3, total: 80, closed: 0 }],
  },
]

const sync: Operation = {
  group: 'Sources',
  summary: 'Fetch new postings',
  acts: true,
  description:
    'From all enabled sources. A user has one sync at a time: a second caller follows the first one’s. It stops ' +
    'when its last caller leaves; stored postings stay. If no source can be read, the last frame is an error.',
  query,
  responses: {
    200: {
      description: 'The progress, then the result.',
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

/** The routes that sync sources. `GET` does the same as `POST`, because a browser's EventSource only has `GET`. */
export function syncRoutes(sources: Sources, syncs: Syncs, report: (error: unknown) => void): Hono<AppEnv> {
  const answer = async (c: Context<AppEnv>): Promise<Response> => {
    const userId = c.get('userId')
    const { source: id } = validateBody(query, c.req.query())
    const selection =
      id === undefined
        ? (await sources.list(userId)).filter(({ enabled }) => enabled)
        : [await sources.get(userId, id)]
    return progressStream(c, report, (tell, signal) => syncs.run(userId, selection, { tell, signal }))
  }
  return new Hono<AppEnv>()
    .get('/sync', describeRoute(sync), answer)
    .post('/sync', describeRoute(sync), answer)
}
