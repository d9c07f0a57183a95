import { z } from 'zod'

import { messageSchema, native, runSchema } from '../../../protocols/index.ts'
import type { Operation } from '../../../agents/index.ts'
import type { Protocols } from '../select-protocol.ts'
import { errors, group, params } from './thread-openapi.ts'
import { disconnectQuery } from '../ends-with-caller.ts'
import { pageQuery } from '../paging.ts'
import {
  afterQuery,
  cursorHeader,
  protocolHeader,
  idempotencyHeader,
  readerQuery,
  streamAnswer,
  wholeAnswer,
} from '../reader-query.ts'

const runParams = z.object({
  id: z
    .string()
    .describe('The run’s id, or its message’s.')
    .meta({ examples: ['run_MiZkvf-HTV_F'] }),
})

export function startRun(protocols: Protocols): Operation {
  return {
    group,
    summary: 'Run the agent',
    description:
      'Where a run of the thread goes on, policy says what becomes of the message; a run that ' +
      'waits for an answer is ended by it. With an Idempotency-Key the same request can be sent ' +
      'again.',
    params,
    query: readerQuery(protocols).extend(disconnectQuery),
    headers: z.object({ ...protocolHeader(protocols), ...idempotencyHeader }),
    body: native.body,
    responses: { 200: wholeAnswer(protocols) },
    errors: ['not-found', 'thread-busy', 'key-reused'],
  }
}

export const runsQuery = pageQuery({ usual: 50, most: 200 }).extend({
  thread: z.string().exactOptional().describe('Only those of a thread, by its id or its client’s name.'),
  live: z.enum(['true', 'false']).exactOptional().describe('true: only those that have not ended.'),
  before: z.string().exactOptional().describe('That of the page before: what follows it.'),
})

export const listRuns: Operation = {
  group,
  summary: 'List runs',
  description: 'The runs of the user’s threads, the latest first.',
  query: runsQuery,
  responses: {
    200: {
      description: 'A page of them.',
      json: z.object({
        runs: z.array(runSchema),
        before: z.string().optional().describe('Where there are more: ask with it.'),
      }),
    },
  },
  errors: ['not-found'],
}

export const getRun: Operation = {
  group,
  summary: 'Show a run',
  params: runParams,
  responses: {
    200: {
      description: 'The run, and its message as far as it is said.',
      json: z.object({ run: runSchema, message: messageSchema }),
    },
  },
  errors,
}

export function readRun(protocols: Protocols): Operation {
  return {
    group,
    summary: 'Read along, or come back',
    description:
      'Any run in any dialect, from the start or after a cursor. 204 for the end of one that has ended.',
    params: runParams,
    query: readerQuery(protocols).extend(afterQuery),
    headers: z.object({ ...cursorHeader, ...protocolHeader(protocols) }),
    responses: { 200: streamAnswer(protocols), 204: { description: 'There is nothing more.' } },
    errors: ['not-found', 'cursor-ahead', 'cursor-unknown', 'log-pruned'],
  }
}

export const stopRun: Operation = {
  group,
  summary: 'Stop a run',
  description: 'Answers once it has ended. What was said is kept.',
  params: runParams,
  responses: {
    200: {
      description: 'Whether this stopped it.',
      json: z.object({ stopped: z.boolean(), runId: z.string() }),
    },
  },
  errors,
}

/** A field that is passed over might be meant to change what the call does. */
const unknownField = ({ code, keys }: z.core.$ZodRawIssue): string | undefined =>
  code === 'unrecognized_keys'
    ? `${keys.join(', ').slice(0, 100)}: there is no such field next to approved and reason. ` +
      'Edited arguments are in input.'
    : undefined

const answerShape = z.discriminatedUnion('kind', [
  z.strictObject(
    {
      kind: z.literal('approval'),
      approved: z.boolean(),
      input: z.json().exactOptional().describe('What the call runs with in place of its input.'),
      reason: z.string().max(2000).exactOptional(),
    },
    { error: unknownField },
  ),
  z.object({ kind: z.literal('output'), output: z.json().default(null) }),
  z.object({ kind: z.literal('form'), output: z.json().describe('What the question’s schema describes.') }),
  z.object({ kind: z.literal('error'), message: z.string().min(1).max(2000) }),
])
export const answerBody = z
  .object({ callId: z.string('callId is required'), answer: answerShape })
  .meta({ examples: [{ callId: 'run_MiZkvf-HTV_F.2', answer: { kind: 'approval', approved: true } }] })

export const answerRun: Operation = {
  group,
  summary: 'Answer a question',
  description:
    'Yes or no to a call that needs approval, with other input where it must change, what a form asks, ' +
    'declined by no, or the output of a tool that the client runs. ' +
    'Exactly one answer counts: a second one is 409 with the first. Once nothing is asked any more ' +
    'the run goes on.',
  params: runParams,
  body: answerBody,
  responses: { 200: { description: 'The run.', json: z.object({ run: runSchema }) } },
  errors: ['not-found', 'already-answered', 'run-closed', 'expired'],
}

export const stopThread: Operation = {
  group,
  summary: 'Stop what runs in a thread',
  description: 'The run that goes on, or waits; what is queued behind it begins then.',
  params,
  responses: {
    200: {
      description: 'Whether this stopped one.',
      json: z.object({ stopped: z.boolean(), runId: z.string().exactOptional() }),
    },
  },
  errors,
}
