import type { Json, LogEntry, Message, Run } from 'dragoman/events'
import type { EncoderContext } from './encoder-memory.ts'
import { toAgUiMessages } from './to-ag-ui-messages.ts'
import { digestIds } from './digest-ids.ts'
import { firstRunId, laterRunId, parentRunIdOf, threadIdOf } from './client-ids.ts'
import type { AgUiViewOptions, Profile } from './ag-ui-view-options.ts'
import type { AgUiMessage, AgUiEventBody } from './wire.ts'

/** The largest event that clients accept. A larger one breaks the run. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024

/**
 * Starts the client's run. The first run gets the history. A later one continues a conversation that the client
 * has, and whose texts the encoder no longer knows. `state` is the state before the entry.
 */
export function encodeRunStart(
  { seq, event }: LogEntry,
  state: Json,
  context: EncoderContext,
): AgUiEventBody[] {
  const { run, view, profile, memory } = context
  const isFirst = event.type === 'run.started'
  const hasNoKey = profile === 'use-ai' && memory.key === undefined
  const runId = isFirst || hasNoKey ? firstRunId(run) : laterRunId(run, memory.key, seq)
  memory.runId = runId
  const parentRunId = parentRunIdOf(run, view, runId)
  return [
    toRunStarted(
      { threadId: threadIdOf(run, view), runId, ...(parentRunId !== undefined && { parentRunId }) },
      profile,
    ),
    ...(isFirst ? messagesSnapshot(context) : []),
    { type: 'STATE_SNAPSHOT', snapshot: state },
  ]
}

export function toRunStarted(
  names: { threadId: string; runId: string; parentRunId?: string },
  profile: Profile,
): AgUiEventBody {
  return { type: 'RUN_STARTED', ...names, ...(profile === 'agui-1.0' && { protocolVersion: '1.0' }) }
}

/**
 * A client forgets the messages that a snapshot leaves out. So a conversation that is too large gets no
 * snapshot.
 */
function messagesSnapshot(context: EncoderContext): AgUiEventBody[] {
  const { memory } = context
  const { before } = memory
  if (!before) return []
  // It may be large, and the encoder may live long.
  memory.before = undefined
  const messages = toClientMessages(context, before)
  return fitsOneEvent(messages) ? [{ type: 'MESSAGES_SNAPSHOT', messages }] : []
}

/** The conversation before a run, and what the run has said, under the ids that the client knows. */
export function toClientMessages(
  { run, view, profile }: Pick<EncoderContext, 'run' | 'view' | 'profile'>,
  before: readonly Message[],
  answer: readonly AgUiMessage[] = [],
): readonly AgUiMessage[] {
  const past = toAgUiMessages(run, withOurIds(before, view), profile)
  const rename = (message: AgUiMessage): AgUiMessage => withClientId(message, view)
  return [...withOrder(run, past.map(rename), view), ...answer.map(rename)]
}

/**
 * A client keeps its messages in their places, and adds those of other ids after them. So its question would stand
 * before an answer that it knows by another id: under our id, the question follows.
 */
function withOrder(
  run: Run,
  messages: readonly AgUiMessage[],
  { ids }: AgUiViewOptions,
): readonly AgUiMessage[] {
  const question = messages.at(-1)
  const earlier = messages.slice(0, -1).filter(({ role }) => UNORDERED.every((other) => role !== other))
  if (ids === undefined || !question || earlier.length === 0) return messages
  if (digestIds(earlier.map(({ id }) => id)) === ids) return messages
  return [...messages.slice(0, -1), { ...question, id: run.request.messageId }]
}

/** A client may leave these out of what it sends. */
const UNORDERED = ['system', 'developer', 'reasoning']

/** Whether clients take so much in one event. */
export function fitsOneEvent(messages: readonly AgUiMessage[]): boolean {
  let room = MAX_EVENT_BYTES
  return messages.every((message) => (room -= Buffer.byteLength(JSON.stringify(message)) + 1) >= 0)
}

function withOurIds(messages: readonly Message[], { users = [] }: AgUiViewOptions): readonly Message[] {
  if (users.length === 0) return messages
  const ours = new Set(users)
  return messages.map((message) =>
    message.role === 'user' && ours.has(message.id)
      ? { role: 'user', id: message.id, parts: message.parts }
      : message,
  )
}

function withClientId(message: AgUiMessage, { results = {} }: AgUiViewOptions): AgUiMessage {
  if (message.role !== 'tool' || !Object.hasOwn(results, message.toolCallId)) return message
  return { ...message, id: results[message.toolCallId] ?? message.id }
}
