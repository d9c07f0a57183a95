import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type ChatRequest, type ClientTool, type Json } from 'dragoman/events'
import { anyJson, toClientTools, parseBody, type RunRequest } from 'dragoman/protocols'
import { resume, toDecisions, toOutcome } from './parse-answers.ts'
import { partsIn, textIn } from './parse-content.ts'
import { resultId } from './client-ids.ts'
import { digestIds } from './digest-ids.ts'
import {
  message,
  readMessages,
  toTurns,
  type InputMessage,
  type ToolResultMessage,
} from './parse-messages.ts'

/** The maximum size of the state and of the forwarded properties, in characters of JSON: each run stores them. */
const MAX_FIELD_CHARACTERS = 64 * 1024

const name = z.string().min(1, 'must not be empty').max(200)
const tool = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), anyJson).nullish().describe('A JSON schema of an object.'),
  metadata: z.looseObject({}).nullish(),
  confirmationRequired: z.boolean().nullish(),
})
export const body = z
  .object({
    threadId: name.describe('The conversation, by the client’s name or our id; a new name begins one.'),
    runId: name.describe('The client’s name for this request: sent again, it gives the same run.'),
    parentRunId: z.string().max(200).nullish().describe('Sent back with the run.'),
    protocolVersion: z.string().max(20).nullish().describe('1.0 and later; clients of 0.x say none.'),
    messages: z
      .array(message)
      .describe(
        'The conversation so far, or the new message alone. Results of the client’s tools are answers.',
      ),
    tools: z.array(tool).nullish().describe('Tools that the client runs.'),
    state: anyJson
      .optional()
      .describe('What agent and client share; null clears it. Left out: as the last run has left it.'),
    context: z.array(z.object({ description: z.string().nullish(), value: anyJson })).nullish(),
    forwardedProps: anyJson.optional(),
    resume: z.array(resume).nullish().describe('Decisions on what a run has asked.'),
  })
  .meta({
    id: 'RunAgentInput',
    description: 'What an AG-UI client of any version posts. What later versions add is passed over.',
    examples: [
      {
        threadId: 'thread-1',
        runId: 'run-1',
        messages: [{ id: 'message-1', role: 'user', content: 'What can you do?' }],
        tools: [],
        context: [],
      },
    ],
  })
type Input = z.infer<typeof body>

/**
 * Reads the body of an AG-UI client: a message, answers (tool results and approvals), or both. Answers apply
 * first. The body contains all results of the client's tools; the log knows which of them are open. A body without
 * anything new asks for what the conversation has: it gives no answers. A body without any message asks the agent to
 * begin: its message has no parts.
 */
export function parse(raw: Json): RunRequest {
  const input = parseBody(body, raw)
  const { threadId, runId, parentRunId, protocolVersion, messages, resume: decisions } = input
  if (input.forwardedProps !== undefined) limitField('forwardedProps', input.forwardedProps)
  const all = readMessages(messages)
  const outcomes = all.flatMap((each) => (each.role === 'tool' ? [each] : []))
  const answers = [...toDecisions(decisions ?? []), ...outcomes.map(toOutcome)]
  const reply = {
    stream: true,
    view: {
      threadId,
      runId,
      ...(parentRunId && { parentRunId }),
      ...(protocolVersion && { version: protocolVersion }),
    },
    thread: threadId,
    ...readForwardedProps(input.forwardedProps),
  }
  const turns = all.filter(({ role }) => role !== 'system' && role !== 'developer')
  const last = turns.at(-1)
  const view = { ...reply.view, ...usersIn(turns), ...resultsIn(outcomes) }
  if (last?.role === 'user') {
    const chatFields = chatOf(input, { all, earlier: turns.slice(0, -1), last })
    const ids = digestIds(turns.slice(0, -1).map((turn) => turn.id ?? ''))
    const chat = { ...reply, ...chatFields, view: { ...view, ids } }
    return answers.length === 0 ? chat : { ...chat, answers }
  }
  if (turns.length === 0 && answers.length === 0)
    return { ...reply, turns: [], message: { parts: [] }, ...surroundingsOf(input, all) }
  const lastUserIndex = turns.findLastIndex(({ role }) => role === 'user')
  const isAnswered =
    (decisions ?? []).length > 0 || turns.slice(lastUserIndex + 1).some(({ role }) => role === 'tool')
  return isAnswered ? { ...reply, view, answers, ...stateOf(input.state) } : { ...reply, answers: [] }
}

/** The user's messages that the client has taken over from us. */
function usersIn(turns: readonly InputMessage[]): { readonly users?: Json } {
  const users = turns.flatMap(({ role, id }) => (role === 'user' && id?.startsWith('msg_') ? [id] : []))
  return users.length > 0 ? { users } : {}
}

/** The client's ids of its tool results, where they differ from ours. */
function resultsIn(all: readonly ToolResultMessage[]): { readonly results?: Json } {
  const idPairs = all.flatMap(({ id, toolCallId }) =>
    id && id !== resultId(toolCallId) ? [[toolCallId, id] as const] : [],
  )
  return idPairs.length > 0 ? { results: Object.fromEntries(idPairs) } : {}
}

type MessageSplit = {
  readonly all: readonly InputMessage[]
  readonly earlier: readonly InputMessage[]
  readonly last: Extract<InputMessage, { role: 'user' }>
}

function chatOf(input: Input, { all: messages, earlier, last }: MessageSplit): ChatRequest {
  const place = `${last.place}.content`
  const parts = partsIn(last.content, place)
  if (parts.length === 0) throw new ServiceError('invalid-request', `${place}: the message is empty`)
  return {
    turns: toTurns(earlier),
    message: { ...(last.id && { clientId: last.id }), parts },
    ...surroundingsOf(input, messages),
  }
}

function surroundingsOf(
  { tools, state, context, forwardedProps }: Input,
  messages: readonly InputMessage[],
): Pick<ChatRequest, 'context' | 'tools' | 'state'> {
  const props = withoutHeaders(forwardedProps)
  const instructions = instructionsIn(messages)
  return {
    context: {
      ...(context && context.length > 0 && { context: context.map(toContextEntry) }),
      ...(instructions.length > 0 && { instructions }),
      ...(props !== undefined && { forwardedProps: props }),
    },
    ...toolsOf(tools ?? []),
    ...stateOf(state),
  }
}

type ContextEntry = NonNullable<Input['context']>[number]

/** Agents get texts. */
function toContextEntry({ description, value }: ContextEntry): { description: string; value: string } {
  return { description: description ?? '', value: typeof value === 'string' ? value : JSON.stringify(value) }
}

function instructionsIn(all: readonly InputMessage[]): { [field: string]: Json }[] {
  return all.flatMap((each) => {
    if (each.role !== 'system' && each.role !== 'developer') return []
    const { id, role, content, place } = each
    const words = textIn(content, `${place}.content`)
    return words === '' ? [] : [{ ...(id && { id }), role, content: words }]
  })
}

function toolsOf(raw: readonly z.infer<typeof tool>[]): { readonly tools?: readonly ClientTool[] } {
  if (raw.length === 0) return {}
  return toClientTools(
    raw.map(({ name: toolName, description, parameters, confirmationRequired, metadata }) => ({
      name: toolName,
      confirmationRequired,
      metadata,
      ...(description && { description }),
      ...(parameters && { parameters }),
    })),
  )
}

/** Null clears the state. If the client sends none, the state stays. */
function stateOf(state: Json | undefined): { readonly state?: Json } {
  if (state === undefined) return {}
  limitField('state', state)
  return { state }
}

function limitField(field: string, value: Json): void {
  if (JSON.stringify(value).length <= MAX_FIELD_CHARACTERS) return
  throw new ServiceError(
    'invalid-request',
    `${field}: must be at most ${MAX_FIELD_CHARACTERS / 1024} KB of JSON`,
  )
}

/** The fields that are not for the model: the agent, and secrets for the run's tools. */
function readForwardedProps(props: Json | undefined): { readonly agent?: string; readonly secrets?: Json } {
  if (!isJsonObject(props)) return {}
  const { agent, mcpHeaders } = props
  return {
    ...(typeof agent === 'string' && { agent }),
    ...(mcpHeaders !== undefined && mcpHeaders !== null && { secrets: { mcpHeaders } }),
  }
}

function withoutHeaders(props: Json | undefined): Json | undefined {
  if (!isJsonObject(props)) return props ?? undefined
  const { mcpHeaders: _secret, ...rest } = props
  return Object.keys(rest).length > 0 ? rest : undefined
}
