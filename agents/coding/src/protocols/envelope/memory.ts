import type { MessageStatus, Said, ToolContext, ToolQuestion } from './wire.ts'

/** A message that is new or has changed, by its place among the run's: of a text what was added, of all else the whole. */
export type Change = Said & { readonly index: number; readonly status: MessageStatus }

type Spoken = { readonly type: 'content' | 'thinking'; readonly index: number }

/** A call, and the one of its messages that is not complete. */
export type Call = { readonly call: ToolContext; readonly open?: OpenMessage }
type OpenMessage =
  | { readonly type: 'tool_call_request' | 'tool_execution_start'; readonly index: number }
  | { readonly type: 'tool_question'; readonly index: number; readonly question: ToolQuestion }

/** What must be known of the entries before one: deltas leave it as it is. */
export type Memory = {
  /** How many messages have a place. */
  count: number
  spoken: Spoken | undefined
  readonly calls: Map<string, Call>
  /** The places of data that may be replaced. */
  readonly data: Map<string, number>
}

export function newMemory(): Memory {
  return { count: 0, spoken: undefined, calls: new Map(), data: new Map() }
}

/** A text has its place before its first word: what comes after it is then named without knowing whether there was one. */
export function beginText(memory: Memory, type: Spoken['type']): readonly Change[] {
  memory.spoken = { type, index: memory.count }
  memory.count += 1
  return []
}

/** Adds no words: whoever strings the pieces together has the text as it is. */
export function endText(memory: Memory): readonly Change[] {
  const { spoken } = memory
  memory.spoken = undefined
  return spoken ? [{ ...spoken, value: '', status: 'generated' }] : []
}

/** A text that is still being said ends before it, and goes on after it in a message of its own. */
export function addMessage(memory: Memory, said: Said, status: MessageStatus): readonly Change[] {
  const { spoken } = memory
  const ended = endText(memory)
  const added = { ...said, index: memory.count, status }
  memory.count += 1
  if (spoken) beginText(memory, spoken.type)
  return [...ended, added]
}
