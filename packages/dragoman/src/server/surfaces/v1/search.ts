import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import type { FoundMessage } from '../../../threads/index.ts'
import type { HttpEnv } from '../../http/index.ts'
import type { V1Options } from './options.ts'
import { group, threadShape } from './thread-openapi.ts'
import { toThread } from './threads.ts'
import { pageQuery, readQuery } from '../paging.ts'

const searchQuery = pageQuery({ usual: 20, most: 100 }).extend({
  q: z
    .string('q is required')
    .min(1)
    .max(200)
    .describe('Words to be found, in any language; those that stand together are found together.')
    .meta({ examples: ['找工作'] }),
})

const foundShape = z
  .object({
    thread: threadShape,
    messageId: z.string(),
    role: z.enum(['user', 'assistant']),
    at: z.iso.datetime({ offset: true }),
    snippet: z.object({
      text: z.string(),
      marks: z
        .array(z.tuple([z.int(), z.int()]))
        .describe('Where in the text it stands, from and to, in UTF-16 units.'),
    }),
  })
  .meta({ id: 'FoundMessage' })

const searchThreads: Operation = {
  group,
  summary: 'Search threads',
  description:
    'By their titles and by what is said in them, on any branch, archived ones too. The newest first.',
  query: searchQuery,
  responses: {
    200: {
      description: 'Threads that are called so, on the first page; and a page of the messages that say so.',
      json: z.object({
        threads: z.array(threadShape),
        messages: z.array(foundShape),
        before: z.string().optional().describe('Where there may be more: ask with it.'),
      }),
    },
  },
  errors: ['not-found'],
}

/** Searches a user's threads and messages. */
export function searchRoutes({ search, projector }: V1Options): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/', describeRoute(searchThreads), async (c) => {
    const { q: query, ...page } = readQuery(c, searchQuery)
    await projector.catchUp(c.get('userId'))
    const { threads, messages } = await search.find(c.get('userId'), { query, ...page })
    const last = messages.length === page.limit ? messages.at(-1) : undefined
    return c.json({
      threads: threads.map(toThread),
      messages: messages.map(toFound),
      ...(last && { before: last.messageId }),
    })
  })
}

function toFound({ thread, ...message }: FoundMessage) {
  return { thread: toThread(thread), ...message }
}
