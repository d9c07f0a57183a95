import { Hono } from 'hono'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { createChangeFeeds, type UserChange } from '../../fan-out/index.ts'
import { deliver, type HttpEnv } from '../../http/index.ts'
import { registerReader } from '../register-reader.ts'
import type { V1Options } from './options.ts'
import { group } from './thread-openapi.ts'

const EXAMPLES: readonly UserChange[] = [
  { type: 'changed' },
  {
    type: 'run.changed',
    threadId: 'conv_y0pTf3hQkXaB',
    runId: 'run_MiZkvf-HTV_F',
    status: 'running',
  },
  { type: 'thread.changed', threadId: 'conv_y0pTf3hQkXaB' },
  { type: 'questions.changed' },
  { type: 'thread.deleted', threadId: 'conv_y0pTf3hQkXaB' },
]

const followChanges: Operation = {
  group,
  summary: 'Hear what changes',
  description:
    'One stream for all threads, runs and questions of the user, whatever client changes them. An event says what ' +
    'to ask for again, not what it is now. changed comes first, after a gap, and at least once a minute: ask again ' +
    'for all that is shown. The stream has no end and no cursor: a client whose connection is lost opens a new one.',
  responses: {
    200: {
      description: 'Changes, as they happen. A comment is sent after 15 s without one.',
      streams: [
        {
          contentType: 'text/event-stream',
          protocol: 'changes',
          example: EXAMPLES.map((change) => `data: ${JSON.stringify(change)}\n\n`).join(''),
        },
      ],
    },
  },
}

/** What changes of a user's threads, runs and questions. */
export function changeRoutes({ changes }: Pick<V1Options, 'changes'>): Hono<HttpEnv> {
  const feeds = createChangeFeeds(changes)
  return new Hono<HttpEnv>().get('/', describeRoute(followChanges), async (c) => {
    // A response to HEAD has no body, so its feed would never be read.
    if (c.req.raw.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' })
    const closing = registerReader(c)
    try {
      const feed = await feeds.open(c.get('userId'))
      return deliver(c, { feed, heartbeat: ': ping\n\n', headers: {}, closing })
    } catch (error) {
      closing.abort()
      throw error
    }
  })
}
