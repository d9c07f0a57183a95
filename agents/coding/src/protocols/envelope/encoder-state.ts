import type { MessageStatus, MessageContent, ToolCall, ToolQuestion } from './wire.ts'

/**
 * A new or changed message by its index among the run's messages. A text has its addition, all others the whole value.
 */
export type Change = MessageContent & { readonly index: number; readonly status: MessageStatus }

type OpenText = { readonly type: 'content' | 'thinking'; readonly index: number }

/** A call, and the one of its messages that is not complete. */
export type Call = { readonly call: ToolCall; readonly open?: OpenMessage }
type OpenMessage =
  | { readonly type: 'tool_call_request' | 'tool_execution_start'; readonly index: number }
  | { readonly type: 'tool_question'; readonly index: number; readonly question: ToolQuestion }

/** What must be known of the entries before one: deltas leave it as it is. */
export type EncoderState = {
  /** How many messages have a place. */
  count: number
  openText: OpenText | undefined
  readonly calls: Map<string, Call>
  /** The places of data that may be replaced. */
  readonly data: Map<string, number>
}

export function newState(): EncoderState {
  return { count: 0, openText: undefined, calls: new Map(), data: new Map() }
}

/** Reserves the index of a text before its first delta, so that later indexes do not depend on deltas. */
export function beginText(state: EncoderState, type: OpenText['type']): readonly Change[] {
  state.openText = { type, index: state.count }
  state.count += 1
  return []
}

/** Adds an empty increment, so that joined increments keep the text. */
export function endText(state: EncoderState): readonly Change[] {
  const { openText } = state
  state.openText = undefined
  return openText ? [{ ...openText, value: '', status: 'generated' }] : []
}

/** A text that is still being said ends before it, and goes on after it in a message of its own. */
export function addMessage(
  state: EncoderState,
  content: MessageContent,
  status: MessageStatus,
): readonly Change[] {
  const { openText } = state
  const ended = endText(state)
  const added = { ...content, index: state.count, status }
  state.count += 1
  if (openText) beginText(state, openText.type)
  return [...ended, added]
}
