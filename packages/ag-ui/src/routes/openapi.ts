import { z } from 'zod'

import type { Agent, Operation } from 'dragoman/agents'
import { agUiProtocol } from '../protocol/index.ts'
import {
  disconnectQuery,
  pageQuery,
  afterQuery,
  cursorHeader,
  EXAMPLE_AGENT,
  streamAnswer,
} from 'dragoman/surfaces'

const group = 'AG-UI'
const params = z.object({
  agent: z
    .string()
    .describe('The agent’s id.')
    .meta({ examples: [EXAMPLE_AGENT] }),
})

export const runAgent: Operation = {
  group,
  summary: 'Run an agent',
  description:
    'For any AG-UI client, of 0.x or 1.0. Where the run calls tools of the client’s, or asks for a ' +
    'yes, the answer ends; the next request brings what they gave, and goes on. A runId that was ' +
    'sent before gives what it gave.',
  params,
  query: z.object(disconnectQuery),
  body: agUiProtocol.body,
  responses: { 200: streamAnswer(new Map([[agUiProtocol.name, agUiProtocol]])) },
  errors: ['not-found', 'thread-busy', 'key-reused', 'too-large', 'log-pruned'],
}

export const resumeQuery = z
  .object({
    threadId: z
      .string()
      .min(1)
      .optional()
      .describe('The conversation: its current run.')
      .meta({ examples: ['thread-1'] }),
    runId: z
      .string()
      .min(1)
      .optional()
      .describe(
        'That run: its x-resumable-stream-id, or the client’s name, which needs threadId if it is not unique.',
      ),
    offset: z.string().optional().describe('-1, as TanStack says “from the start”.'),
    ...afterQuery,
    ...pageQuery({ usual: 200, most: 500 }).shape,
  })
  .refine(({ threadId, runId }) => (threadId ?? runId) !== undefined, 'threadId or runId is required')

const pageShape = z
  .object({
    messages: z.array(z.looseObject({ id: z.string(), role: z.string(), parts: z.array(z.looseObject({})) })),
    activeRun: z.object({ runId: z.string() }).nullable().describe('The run to follow from its start.'),
    interrupts: z
      .object({ runId: z.string(), pending: z.array(z.looseObject({ id: z.string() })) })
      .nullable()
      .describe('What waits for a person, as in RUN_FINISHED.'),
    page: z.object({ truncated: z.boolean(), cursor: z.string().optional() }),
  })
  .meta({ id: 'AgUiPage' })

export const resumeRun: Operation = {
  group,
  summary: 'Read a run again',
  description:
    'For a client that was cut off, or a page that was reloaded: the run from its start or after the last ' +
    'event that was seen, to its end or to where it waits. The POST that was cut may be repeated with ' +
    'Last-Event-ID instead. For Accept: application/json and a threadId alone, the conversation, as pages of ' +
    'TanStack AI ask for it: limit and before give its parts.',
  params,
  query: resumeQuery,
  headers: z.object(cursorHeader),
  responses: { 200: { ...streamAnswer(new Map([[agUiProtocol.name, agUiProtocol]])), json: pageShape } },
  errors: ['not-found', 'cursor-ahead', 'cursor-unknown', 'log-pruned'],
}

export const stopBody = z
  .object({
    threadId: z.string().min(1).optional().describe('The conversation: whatever runs there.'),
    runId: z.string().min(1).optional().describe('That run, by the client’s name or our id.'),
  })
  .refine(({ threadId, runId }) => (threadId ?? runId) !== undefined, 'threadId or runId is required')
  .meta({ examples: [{ threadId: 'thread-1' }] })

export const stopAgent: Operation = {
  group,
  summary: 'Stop a run',
  description: 'Answers once it has ended. A client’s own name for a run needs its threadId.',
  params,
  body: stopBody,
  responses: {
    200: {
      description: 'Whether this stopped one.',
      json: z.object({ stopped: z.boolean() }),
    },
  },
  errors: ['not-found'],
}

/** AgentCapabilities of AG-UI 1.0. */
export function capabilitiesOf({ engine }: Pick<Agent, 'engine'>) {
  const isTextOnly = typeof engine === 'object' && 'run' in engine && engine.textOnly === true
  return { ...commonCapabilities, ...(isTextOnly ? textOnlyCapabilities : chatCapabilities) }
}

const commonCapabilities = {
  transport: {
    streaming: true,
    websocket: false,
    httpBinary: false,
    pushNotifications: false,
    resumable: true,
  },
}

const chatCapabilities = {
  tools: { supported: true, parallelCalls: true, clientProvided: true },
  state: { snapshots: true, deltas: true, memory: true, persistentState: true },
  reasoning: { supported: true, streaming: true, encrypted: true },
  multimodal: { input: { image: true, audio: false, video: false, pdf: true, file: true } },
  humanInTheLoop: { supported: true, approvals: true, interrupts: true, approveWithEdits: true },
}

const textOnlyCapabilities = {
  tools: { supported: false, parallelCalls: false, clientProvided: false },
  state: { snapshots: true, deltas: false, memory: true, persistentState: true },
  reasoning: { supported: false, streaming: false, encrypted: false },
  multimodal: { input: { image: false, audio: false, video: false, pdf: false, file: false } },
  humanInTheLoop: { supported: false, approvals: false, interrupts: false, approveWithEdits: false },
}

const flag = z.boolean()
export const getCapabilities: Operation = {
  group,
  summary: 'Show what an agent can do',
  description: 'In the words of AG-UI 1.0, which leaves open where they are asked for.',
  params,
  responses: {
    200: {
      description: 'Its capabilities.',
      json: z.object({
        transport: z.record(z.string(), flag),
        tools: z.record(z.string(), flag),
        state: z.record(z.string(), flag),
        reasoning: z.record(z.string(), flag),
        multimodal: z.object({ input: z.record(z.string(), flag) }),
        humanInTheLoop: z.record(z.string(), flag),
      }),
    },
  },
  errors: ['not-found'],
}
