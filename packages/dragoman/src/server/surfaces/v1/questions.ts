import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { isDetached } from '../../../events/index.ts'
import type { OpenQuestion } from '../../../threads/index.ts'
import type { HttpEnv } from '../../http/index.ts'
import type { V1Options } from './options.ts'
import { group } from './thread-openapi.ts'
import { pageQuery, readQuery } from '../paging.ts'

const questionsQuery = pageQuery({ usual: 50, most: 200 }).extend({
  thread: z.string().exactOptional().describe('Only those of a thread, by its id or its client’s name.'),
  run: z.string().exactOptional().describe('Only those of a run, by its id.'),
  before: z.string().exactOptional().describe('That of the page before: what follows it.'),
})

const questionShape = z
  .object({
    callId: z.string(),
    runId: z.string(),
    threadId: z.string().nullable().describe('null: its run stands in no thread.'),
    agent: z.string(),
    tool: z.string(),
    input: z.unknown(),
    kind: z
      .enum(['approval', 'form', 'output'])
      .describe(
        'Whether a yes or no is wanted, what the schema describes, or an output that a client makes.',
      ),
    message: z.string().exactOptional().describe('The question, in words.'),
    schema: z
      .unknown()
      .exactOptional()
      .describe('The JSON schema of the form’s output, or of the input that an approval may change.'),
    preview: z
      .object({
        title: z.string().exactOptional(),
        format: z.enum(['text', 'diff']),
        text: z.string(),
        isCut: z.literal(true).exactOptional(),
        problem: z.string().exactOptional(),
      })
      .exactOptional()
      .describe('What the call would do, as its tool says: such as the unified diff of a file.'),
    askedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Question' })

const listQuestions: Operation = {
  group,
  summary: 'List open questions',
  description:
    'Calls that wait for their user, in whatever client they were asked. The latest first. A page has at most 256 KB ' +
    'of inputs, but one question in any case.',
  query: questionsQuery,
  responses: {
    200: {
      description: 'A page of them.',
      json: z.object({
        questions: z.array(questionShape),
        before: z.string().optional().describe('Where there are more: ask with it.'),
      }),
    },
  },
  errors: ['not-found'],
}

/** Open questions of the user's runs. */
export function questionRoutes({ questions, threads, projector }: V1Options): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/', describeRoute(listQuestions), async (c) => {
    const { thread, run: runId, ...page } = readQuery(c, questionsQuery)
    const userId = c.get('userId')
    const threadId = thread === undefined ? {} : { threadId: (await threads.get(userId, thread)).id }
    await projector.catchUp(userId)
    const listed = await questions.list(userId, { ...page, ...threadId, runId })
    return c.json({ ...listed, questions: listed.questions.map(toQuestion) })
  })
}

function toQuestion({ threadId, expiresAt, ...question }: OpenQuestion) {
  return { ...question, threadId: isDetached({ threadId }) ? null : threadId, expiresAt: expiresAt ?? null }
}
