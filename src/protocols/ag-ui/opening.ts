import type { Json, LogEntry } from '../../events/index.ts'
import type { Writing } from './memory.ts'
import { conversation } from './messages.ts'
import { firstRunId, laterRunId, threadIdOf } from './names.ts'
import type { AgUiView } from './view.ts'
import type { AgUiMessage, AgUiWord } from './wire.ts'

/** What the clients take in one event, in bytes: a larger one breaks the run. */
export const MOST_BYTES = 8 * 1024 * 1024

/**
 * Begins the client's run. The first has what was said before; a later one goes on in a conversation that the client has, and of which an
 * encoder does not know the words any more. `state`: before the entry.
 */
export function openingWords({ seq, event }: LogEntry, state: Json, writing: Writing): AgUiWord[] {
  const { run, view, profile, memory } = writing
  const isFirst = event.type === 'run.started'
  const runId = isFirst || profile === 'use-ai' ? firstRunId(run) : laterRunId(run, memory.key, seq)
  memory.runId = runId
  return [
    {
      type: 'RUN_STARTED',
      threadId: threadIdOf(run, view),
      runId,
      ...(profile === 'agui-1.0' && { protocolVersion: '1.0' }),
    },
    ...(isFirst ? messagesSnapshot(writing) : []),
    { type: 'STATE_SNAPSHOT', snapshot: state },
  ]
}

/** A client forgets what a snapshot leaves out: of a conversation that it could not take whole there is none. */
function messagesSnapshot({ run, view, before, profile }: Writing): AgUiWord[] {
  if (!before) return []
  const messages = conversation(run, before, profile).map((message) => asNamed(message, view))
  const bytes = new TextEncoder().encode(JSON.stringify(messages)).length
  return bytes > MOST_BYTES ? [] : [{ type: 'MESSAGES_SNAPSHOT', messages }]
}

function asNamed(message: AgUiMessage, { results = {} }: AgUiView): AgUiMessage {
  if (message.role !== 'tool' || !Object.hasOwn(results, message.toolCallId)) return message
  return { ...message, id: results[message.toolCallId] ?? message.id }
}
