import type { Json, LogEntry } from '../../events/index.ts'
import type { EncoderContext } from './encoder-memory.ts'
import { toAgUiMessages } from './to-ag-ui-messages.ts'
import { firstRunId, laterRunId, threadIdOf } from './client-ids.ts'
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
  return [
    toRunStarted({ threadId: threadIdOf(run, view), runId }, profile),
    ...(isFirst ? messagesSnapshot(context) : []),
    { type: 'STATE_SNAPSHOT', snapshot: state },
  ]
}

export function toRunStarted(names: { threadId: string; runId: string }, profile: Profile): AgUiEventBody {
  return { type: 'RUN_STARTED', ...names, ...(profile === 'agui-1.0' && { protocolVersion: '1.0' }) }
}

/**
 * A client forgets the messages that a snapshot leaves out. So a conversation that is too large gets no
 * snapshot.
 */
function messagesSnapshot({ run, view, memory, profile }: EncoderContext): AgUiEventBody[] {
  const { before } = memory
  if (!before) return []
  // It may be large, and the encoder may live long.
  memory.before = undefined
  const messages = toAgUiMessages(run, before, profile).map((message) => withClientId(message, view))
  return fitsOneEvent(messages) ? [{ type: 'MESSAGES_SNAPSHOT', messages }] : []
}

/** Whether clients take so much in one event. */
export function fitsOneEvent(messages: readonly AgUiMessage[]): boolean {
  let room = MAX_EVENT_BYTES
  return messages.every((message) => (room -= utf8Length(JSON.stringify(message)) + 1) >= 0)
}

/** The bytes of a text, without making them. */
function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const isHalf = unit >= 0xd8_00 && unit <= 0xdf_ff
    bytes += unit < 0x80 ? 1 : unit < 0x8_00 || isHalf ? 2 : 3
  }
  return bytes
}

function withClientId(message: AgUiMessage, { results = {} }: AgUiViewOptions): AgUiMessage {
  if (message.role !== 'tool' || !Object.hasOwn(results, message.toolCallId)) return message
  return { ...message, id: results[message.toolCallId] ?? message.id }
}
