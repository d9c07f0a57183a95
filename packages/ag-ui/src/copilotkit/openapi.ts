import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import { agUiProtocol } from '../protocol/index.ts'
import { disconnectQuery, EXAMPLE_AGENT, streamAnswer } from 'dragoman/surfaces'

const group = 'CopilotKit'
const stream = streamAnswer(new Map([[agUiProtocol.name, agUiProtocol]]))
const run200 = { 200: stream }

const agentParam = {
  agent: z
    .string()
    .describe('The agent’s id, or default.')
    .meta({ examples: [EXAMPLE_AGENT] }),
}

const agentShape = z
  .object({
    name: z.string(),
    description: z.string(),
    className: z.string(),
    capabilities: z.looseObject({}).describe('AgentCapabilities of AG-UI.'),
  })
  .meta({ id: 'CopilotKitAgent' })

const infoShape = z
  .object({
    version: z.string(),
    mode: z.literal('sse'),
    agents: z.record(z.string(), agentShape),
    audioFileTranscriptionEnabled: z.literal(false),
  })
  .meta({ id: 'CopilotKitInfo' })

export const info: Operation = {
  group,
  summary: 'Show the agents',
  description: 'As CopilotKit asks its runtime. default is the assistant, where there is one.',
  responses: { 200: { description: 'The agents, by id.', json: infoShape } },
}

export const run: Operation = {
  group,
  summary: 'Run an agent for CopilotKit',
  description: 'As POST /ag-ui/{agent}.',
  params: z.object(agentParam),
  query: z.object(disconnectQuery),
  body: agUiProtocol.body,
  responses: run200,
  errors: ['not-found', 'thread-busy', 'key-reused', 'too-large', 'log-pruned'],
}

/** Of a RunAgentInput what says which conversation it is. */
export const connectBody = z
  .looseObject({
    threadId: z.string('is required').min(1),
    runId: z.string('is required').min(1),
    protocolVersion: z.string().optional(),
  })
  .meta({
    id: 'CopilotKitConnect',
    description: 'A RunAgentInput. Its messages do not count.',
    examples: [{ threadId: 'thread-1', runId: 'connect-1', messages: [] }],
  })

export const comeBack: Operation = {
  group,
  summary: 'Come back to a conversation',
  description:
    'What was said in it and, where a run goes on or waits, that run from its beginning: up to its ' +
    'end, or to where it waits. For a name that is new, a run without words.',
  params: z.object(agentParam),
  body: connectBody,
  responses: run200,
  errors: ['not-found'],
}

export const stopBody = z
  .object({ runId: z.string().min(1).optional().describe('That run alone, by the client’s name or our id.') })
  .optional()
  .meta({ examples: [{}] })

export const stop: Operation = {
  group,
  summary: 'Stop a run of CopilotKit’s',
  description: 'Answers once it has ended; so does the stream that follows it.',
  params: z.object({
    ...agentParam,
    thread: z
      .string()
      .describe('The conversation, by the client’s name or our id.')
      .meta({ examples: ['thread-1'] }),
  }),
  body: stopBody,
  responses: {
    200: { description: 'Whether this stopped one.', json: z.object({ stopped: z.boolean() }) },
  },
  errors: ['not-found'],
}

export const debugEvents: Operation = {
  group,
  summary: 'The debug events of a CopilotKit runtime',
  description: 'Never served, as by CopilotKit’s own runtime in production.',
  responses: {},
  errors: ['not-found'],
}

export const singleBody = z
  .object({
    method: z.enum(['info', 'agent/run', 'agent/connect', 'agent/stop']),
    params: z
      .object({
        agentId: z.string().min(1).optional().describe('The agent’s id, or default.'),
        threadId: z.string().min(1).optional().describe('Of agent/stop: the conversation.'),
      })
      .optional(),
    body: z.json().optional().describe('What the route of that name takes.'),
  })
  .meta({
    id: 'CopilotKitCall',
    examples: [
      { method: 'info' },
      {
        method: 'agent/connect',
        params: { agentId: EXAMPLE_AGENT },
        body: { threadId: 'thread-1', runId: 'connect-2', messages: [] },
      },
    ],
  })

export const single: Operation = {
  group,
  summary: 'Any of these, at one address',
  description: 'For a CopilotKit with useSingleEndpoint: the method says which.',
  body: singleBody,
  responses: {
    200: {
      ...stream,
      description: 'As that route answers.',
      json: z.union([infoShape, z.object({ stopped: z.boolean() })]),
    },
  },
  errors: ['not-found', 'thread-busy', 'key-reused', 'too-large', 'log-pruned'],
}
