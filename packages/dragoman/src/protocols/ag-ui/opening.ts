import type { Json, LogEntry } from '../../events/index.ts'
import type { Writing } from './memory.ts'
import { conversation } from './messages.ts'
import { firstRunId, laterRunId, threadIdOf } from './names.ts'
import type { AgUiView, Profile } from './view.ts'
import type { AgUiMessage, AgUiWord } from './wire.ts'

/** What the clients take in one event, in bytes: a larger one breaks the run. */
const MOST_BYTES = 8 * 1024 * 1024

/**
 * Begins the client's run. The first has what was said before; a later one goes on in a conversation that the client has, and of which an
 * encoder does not know the words any more. `state`: before the entry.
 */
export function openingWords({ seq, event }: LogEntry, state: Json, writing: Writing): AgUiWord[] {
  const { run, view, profile, memory } = writing
  const isFirst = event.type === 'run.started'
  const isUnnamed = profile === 'use-ai' && memory.key === undefined
  const runId = isFirst || isUnnamed ? firstRunId(run) : laterRunId(run, memory.key, seq)
  memory.runId = runId
  return [
    started({ threadId: threadIdOf(run, view), runId }, profile),
    ...(isFirst ? messagesSnapshot(writing) : []),
    { type: 'STATE_SNAPSHOT', snapshot: state },
  ]
}

export function started(names: { threadId: string; runId: string }, profile: Profile): AgUiWord {
  return { type: 'RUN_STARTED', ...names, ...(profile === 'agui-1.0' && { protocolVersion: '1.0' }) }
}

/** A client forgets what a snapshot leaves out: of a conversation that it could not take whole there is none. */
function messagesSnapshot({ run, view, before, profile }: Writing): AgUiWord[] {
  if (!before) return []
  const messages = conversation(run, before, profile).map((message) => asNamed(message, view))
  return isTaken(messages) ? [{ type: 'MESSAGES_SNAPSHOT', messages }] : []
}

/** Whether clients take so much in one event. */
export function isTaken(messages: readonly AgUiMessage[]): boolean {
  return new TextEncoder().encode(JSON.stringify(messages)).length <= MOST_BYTES
}

function asNamed(message: AgUiMessage, { results = {} }: AgUiView): AgUiMessage {
  if (message.role !== 'tool' || !Object.hasOwn(results, message.toolCallId)) return message
  return { ...message, id: results[message.toolCallId] ?? message.id }
}
