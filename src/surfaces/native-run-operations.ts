import { z } from 'zod'

import { messageShape, native, runShape } from '../protocols/index.ts'
import type { Operation } from '../agent/index.ts'
import type { Dialects } from './dialect.ts'
import { errors, group, params } from './native-thread-operations.ts'
import { afterQuery, cursorHeader, dialectHeader, readingQuery, runAnswer, wholeAnswer } from './reading.ts'

const runParams = z.object({
  id: z
    .string()
    .describe('The run’s id, or its message’s.')
    .meta({ examples: ['run_MiZkvf-HTV_F'] }),
})

/** What a run's body says besides its message. */
export const policy = z.object({
  policy: z
    .literal('reject', 'only "reject" is offered')
    .optional()
    .describe('What happens where the thread’s run goes on.'),
  replaces: z.undefined('is not offered yet').optional(),
})

export function startRun(dialects: Dialects): Operation {
  return {
    group,
    summary: 'Run the agent',
    params,
    query: readingQuery(dialects),
    headers: z.object(dialectHeader(dialects)),
    body: z.intersection(native.body, policy),
    answers: { 200: wholeAnswer(dialects) },
    errors: ['not-found', 'thread-busy'],
  }
}

export const getRun: Operation = {
  group,
  summary: 'Show a run',
  params: runParams,
  answers: {
    200: {
      description: 'The run, and its message as far as it is said.',
      json: z.object({ run: runShape, message: messageShape }),
    },
  },
  errors,
}

export function readRun(dialects: Dialects): Operation {
  return {
    group,
    summary: 'Read along, or come back',
    description:
      'Any run in any dialect, from the start or after a cursor. 204 for the end of one that has ended.',
    params: runParams,
    query: readingQuery(dialects).extend(afterQuery),
    headers: z.object({ ...cursorHeader, ...dialectHeader(dialects) }),
    answers: { 200: runAnswer(dialects), 204: { description: 'There is nothing more.' } },
    errors: ['not-found', 'cursor-ahead', 'log-pruned'],
  }
}

export const stopRun: Operation = {
  group,
  summary: 'Stop a run',
  description: 'Answers once it has ended. What was said is kept.',
  params: runParams,
  answers: {
    200: {
      description: 'Whether this stopped it.',
      json: z.object({ stopped: z.boolean(), runId: z.string() }),
    },
  },
  errors,
}
