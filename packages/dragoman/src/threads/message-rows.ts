import {
  reasoningOf,
  textOf,
  toToolInvocations,
  type AssistantMessage,
  type AssistantPart,
  type Failure,
  type Message,
  type Usage,
  type UserMessage,
  type UserPart,
} from '../events/index.ts'
import type { MessageRow } from './tables.ts'

/** `row` has the columns as stored. */
export type StoredMessage = { readonly message: Message; readonly row: MessageRow }

/** The other columns repeat the parts. */
export const MESSAGE_COLUMNS = [
  'id',
  'conversation_id',
  'parent_id',
  'run_id',
  'client_id',
  'role',
  'status',
  'parts',
  'failure',
  'feedback',
  'finish_reason',
  'usage',
  'timestamp',
  'created_at',
  'chosen_at',
  'position',
  'projected_seq',
] as const

type MessageColumns = Omit<MessageRow, 'content' | 'reasoning' | 'tool_calls'>

export function toMessage(row: MessageColumns): Message {
  return row.role === 'user' ? toUserMessage(row) : toAssistantMessage(row)
}

function toUserMessage(row: MessageColumns): UserMessage {
  const parts = JSON.parse(row.parts) as UserPart[]
  return { role: 'user', id: row.id, parts, ...(row.client_id !== null && { clientId: row.client_id }) }
}

export function toAssistantMessage(row: MessageColumns): AssistantMessage {
  const { finish_reason: reason, failure, usage, feedback } = row
  return {
    role: 'assistant',
    id: row.id,
    status: (row.status ?? 'finished') as AssistantMessage['status'],
    parts: JSON.parse(row.parts) as AssistantPart[],
    ...(reason !== null &&
      reason !== 'incomplete' &&
      reason !== 'error' && { finishReason: reason as 'stop' }),
    ...(failure !== null && { failure: JSON.parse(failure) as Failure }),
    ...(usage !== null && { usage: ours(usage) }),
    ...(feedback !== null && { feedback: feedback as 'up' }),
  }
}

type Columns = Pick<
  MessageRow,
  'role' | 'content' | 'reasoning' | 'tool_calls' | 'finish_reason' | 'usage' | 'parts' | 'status' | 'failure'
>

const none = {
  reasoning: null,
  tool_calls: null,
  finish_reason: null,
  usage: null,
  status: null,
  failure: null,
}

/** The columns of a message's content. */
export function toColumns(message: Message): Columns {
  if (message.role === 'user') {
    return { ...none, role: 'user', content: textOf(message), parts: JSON.stringify(message.parts) }
  }
  const reasoning = reasoningOf(message)
  const calls = toToolInvocations(message)
  return {
    role: 'assistant',
    content: textOf(message),
    reasoning: reasoning === '' ? null : reasoning,
    tool_calls: calls.length === 0 ? null : JSON.stringify(calls),
    finish_reason: finishReasonOf(message),
    usage: message.usage ? JSON.stringify(documented(message.usage)) : null,
    parts: JSON.stringify(message.parts),
    status: message.status,
    failure: message.failure ? JSON.stringify(message.failure) : null,
  }
}

function finishReasonOf({ status, finishReason }: AssistantMessage): string {
  if (status === 'streaming' || status === 'waiting') return 'incomplete'
  return status === 'failed' ? 'error' : (finishReason ?? 'stop')
}

/** The tool calls under the documented names of the chat API, and under ours. */
function documented(usage: Usage) {
  return { promptTokens: usage.inputTokens, completionTokens: usage.outputTokens, ...usage }
}

function ours(text: string): Usage {
  const {
    promptTokens: _,
    completionTokens: __,
    ...usage
  } = JSON.parse(text) as ReturnType<typeof documented>
  return usage
}
