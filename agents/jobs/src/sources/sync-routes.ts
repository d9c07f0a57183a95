import { Hono, type Context } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { validateBody } from '@dragoman/agent-kit/json-body'
import { idField } from '../fields.ts'
import { progressStream } from '../progress-stream.ts'
import type { Sources } from './sources.ts'
import type { Syncs } from './sync.ts'

type Ports = {
  readonly sources: Sources
  readonly syncs: Syncs
  readonly report: (error: unknown) => void
}

const query = z.object({
  source: idField('Invalid source id').optional().describe('Only this one, even where it is switched off.'),
})

const EXAMPLE = `data: {"type":"progress","status":"processing","synced":12,"total":80,"newJobs":3,"message":"Greenhouse: northwind: 80 postings, 3 of them new to you.","source":"Greenhouse: northwind"}

data: {"type":"complete","status":"complete","synced":12,"new":3,"newJobs":3,"total":80,"message":"80 postings, 3 of them new to you.","sources":[{"id":1,"name":"Greenhouse: northwind","kind":"greenhouse","synced":12,"new":3,"total":80,"closed":0}]}

`

const sync: Operation = {
  group: 'Sources',
  summary: 'Fetch new postings',
  description:
    'From all sources that are switched on. A user has one sync at a time: a second caller follows the same one. Leaving stops it, once nobody else follows it; what is kept by then stays. Where no source can be read the last frame is an error.',
  query,
  responses: {
    200: {
      description: 'How it goes, then what came of it.',
      streams: [{ contentType: 'text/event-stream', protocol: 'progress', example: EXAMPLE }],
    },
  },
  errors: ['not-found'],
}

/** `GET` and `POST` are the same, for a browser's EventSource only speaks the first. */
export function syncRoutes({ sources, syncs, report }: Ports): Hono<AppEnv> {
  const answer = async (c: Context<AppEnv>): Promise<Response> => {
    const userId = c.get('userId')
    const { source: id } = validateBody(query, c.req.query())
    const sourceIds =
      id === undefined
        ? (await sources.list(userId)).filter(({ enabled }) => enabled)
        : [await sources.get(userId, id)]
    return progressStream(c, report, (tell, signal) => syncs.run(userId, sourceIds, { tell, signal }))
  }
  return new Hono<AppEnv>().get('/', describeRoute(sync), answer).post('/', describeRoute(sync), answer)
}
