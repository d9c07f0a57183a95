import { z } from 'zod'

import type { OperationResponse } from '../../agents/index.ts'
import { emptyMessage, fold, type Json, type LogEntry, type Run, type RunEvent } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import { encodeEntries } from '../fan-out/index.ts'
import type { Protocols } from './select-protocol.ts'

const CURSOR_DESCRIPTION = 'The id of the last event that was seen: what follows it is sent.'

/** The client's AI SDK version, for the protocol that differs between versions. */
export const profile = z
  .enum(['v5', 'v6', 'v7'])
  .optional()
  .describe('Which AI SDK reads the ui-message-stream, if it is not version 6 or later.')

/** Query parameters of every route that responds with a run. */
export function readerQuery(protocols: Protocols) {
  return z.object({
    protocol: z
      .enum([...protocols.keys()])
      .optional()
      .describe('The dialect of the answer.'),
    ids: z.literal('1').optional().describe('Numbers the events also where the dialect does not.'),
    showThinking: z.enum(['true', 'false']).optional().describe('false: without reasoning.'),
    profile,
    steeringMessages: z
      .enum(['true', 'false'])
      .optional()
      .describe('true: messages that join an answer are steering-message parts, as of AI SDK 7.0.163.'),
  })
}

export const afterQuery = { after: z.string().optional().describe(CURSOR_DESCRIPTION) }
export const startIndexQuery = {
  startIndex: z
    .string()
    .optional()
    .describe(
      'In place of a cursor, how many chunks were seen, as WorkflowChatTransport counts them; ' +
        'negative: so many before the end.',
    ),
}
export const cursorHeader = { 'last-event-id': z.string().optional().describe(CURSOR_DESCRIPTION) }

export const idempotencyHeader = {
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('A name for this request: sent again, it gives the same run.'),
}

export function protocolHeader(protocols: Protocols) {
  return {
    'x-protocol': z
      .enum([...protocols.keys()])
      .optional()
      .describe('As the query’s protocol.'),
  }
}

/** A run as it goes on, in any dialect: what each of them writes is written by itself. */
export function streamAnswer(protocols: Protocols): OperationResponse {
  return {
    description: 'The run, as it goes on.',
    headers: {
      'x-run-id': 'The run’s id: to come back, or to stop it.',
      'x-conversation-id': 'Our id of its conversation.',
      'x-workflow-run-id': 'The run’s id, under the name that WorkflowChatTransport looks for.',
      'x-after': 'Where the answer does not begin at the run’s start: the cursor that it follows.',
    },
    streams: Array.from(protocols.values(), (protocol) => ({
      contentType: protocol.headers['content-type'] ?? 'text/event-stream',
      protocol: protocol.name,
      // Only the document shows it: a server that starts need not write it.
      get example() {
        return exampleStream(protocol)
      },
    })),
  }
}

/** The same, with `stream: false` as one JSON. */
export function wholeAnswer(protocols: Protocols): OperationResponse {
  const message = EXAMPLE_EVENTS.reduce(fold, emptyMessage(EXAMPLE_RUN.messageId))
  return {
    ...streamAnswer(protocols),
    description: 'The run, as it goes on; with stream: false its whole answer, as JSON.',
    json: z.looseObject({}),
    examples: Object.fromEntries(
      Array.from(protocols.values(), (protocol): [string, Json] => [
        protocol.name,
        protocol.whole(EXAMPLE_RUN, {}, message),
      ]),
    ),
  }
}

/**
 * A placeholder for an agent id in examples. `openApiRoutes` replaces it with the id of one of the server's agents.
 */
export const EXAMPLE_AGENT = 'EXAMPLE_AGENT'

/** A short made-up run. */
const EXAMPLE_RUN: Run = {
  id: 'run_MiZkvf-HTV_F',
  threadId: 'conv_y0pTf3hQkXaB',
  userId: 'local',
  agent: EXAMPLE_AGENT,
  messageId: 'msg_fBeiEPYQyIF3',
  request: { messageId: 'msg_W8rP7zTi7md0', input: [], context: {}, tools: [] },
  reply: { protocol: 'native', view: {} },
  onCrash: 'fail',
  status: 'finished',
  epoch: 1,
  crashes: 0,
  lastSeq: 7,
  createdAt: 1_795_304_195_948,
  pruned: false,
}

const EXAMPLE_EVENTS: readonly RunEvent[] = [
  {
    type: 'run.started',
    agent: EXAMPLE_RUN.agent,
    messageId: EXAMPLE_RUN.request.messageId,
    input: [{ type: 'text', text: 'Hello' }],
  },
  { type: 'step.started', model: 'offline' },
  { type: 'text.started', partId: `${EXAMPLE_RUN.id}.1` },
  { type: 'text.delta', partId: `${EXAMPLE_RUN.id}.1`, delta: 'Good day.' },
  { type: 'text.ended', partId: `${EXAMPLE_RUN.id}.1` },
  { type: 'step.finished', reason: 'stop', usage: { inputTokens: 7, outputTokens: 3 } },
  { type: 'run.finished', reason: 'stop', usage: { inputTokens: 7, outputTokens: 3 } },
]

function exampleStream(protocol: Protocol): string {
  const entries = EXAMPLE_EVENTS.map((event, index): LogEntry => ({
    seq: index + 1,
    at: EXAMPLE_RUN.createdAt,
    event,
  }))
  const encoder = protocol.encoder({ run: EXAMPLE_RUN, view: {} })
  const { framing, eventName, numbered } = protocol
  const { bytes } = encodeEntries(entries, { encoder, framing, eventName, numbered })
  return new TextDecoder().decode(bytes)
}
