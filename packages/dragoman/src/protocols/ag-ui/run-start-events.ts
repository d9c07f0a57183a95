import type { Json, LogEntry } from '../../events/index.ts'
import type { EncoderContext } from './encoder-memory.ts'
import { toAgUiMessages } from './to-ag-ui-messages.ts'
import { firstRunId, laterRunId, threadIdOf } from './client-ids.ts'
import type { AgUiView, Profile } from './ag-ui-view.ts'
import type { AgUiMessage, AgUiEventBody } from './wire.ts'

/** What the clients take in one event, in bytes: a larger one breaks the run. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024

/**
 * Begins the client's run. The first has what was said before; a later one goes on in a conversation that the client has, and of which an
 * encoder does not know the words any more. `state`: before the entry.
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

/** A client forgets what a snapshot leaves out: of a conversation that it could not take whole there is none. */
function messagesSnapshot({ run, view, before, profile }: EncoderContext): AgUiEventBody[] {
  if (!before) return []
  const messages = toAgUiMessages(run, before, profile).map((message) => withClientId(message, view))
  return fitsOneEvent(messages) ? [{ type: 'MESSAGES_SNAPSHOT', messages }] : []
}

/** Whether clients take so much in one event. */
export function fitsOneEvent(messages: readonly AgUiMessage[]): boolean {
  return new TextEncoder().encode(JSON.stringify(messages)).length <= MAX_EVENT_BYTES
}

function withClientId(message: AgUiMessage, { results = {} }: AgUiView): AgUiMessage {
  if (message.role !== 'tool' || !Object.hasOwn(results, message.toolCallId)) return message
  return { ...message, id: results[message.toolCallId] ?? message.id }
}
