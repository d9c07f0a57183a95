import { isTerminal, type Json, type LogEntry, type Run } from 'dragoman/events'
import type { Encoder } from 'dragoman/protocols'
import { changesOf } from './changes.ts'
import { filesOf } from './files.ts'
import { legacyFrames } from './legacy.ts'
import { addMessage, newMemory, type Change, type Memory } from './memory.ts'
import { envelopeView, namesOf, type EnvelopeView, type Names } from './view.ts'
import type { Envelope, LegacyFrame, StreamMessage } from './wire.ts'

/** What an entry is in envelopes. The finished one has no changes of its own: whoever leaves at it has read them all. */
type Step = { readonly msgStatus: Envelope['msgStatus']; readonly changes: readonly Change[] }

type Writing = {
  readonly run: Run
  readonly names: Names
  readonly wanted: EnvelopeView
  readonly memory: Memory
}

/** Writes a run's log as envelopes: each of what is new, or of all that was said so far. */
export function encoder({ run, view }: { run: Run; view: Json }): Encoder {
  const wanted = envelopeView(view)
  const writing = { run, wanted, names: namesOf(run, wanted), memory: newMemory() }
  return wanted.responseMode === 'full' ? full(writing) : incremental(writing)
}

function incremental(writing: Writing): Encoder {
  const { names } = writing
  return (entry) => {
    const envelopes = stepsOf(entry, writing).map(({ msgStatus, changes }) =>
      toEnvelope(
        names,
        msgStatus,
        changes.map((change) => toMessage(change, entry.at, names)),
      ),
    )
    return written(entry, writing, envelopes)
  }
}

/**
 * One envelope an entry. Where another entry follows at once it is left to that one, unless frames stand beside it, which none says again.
 */
function full(writing: Writing): Encoder {
  const { names } = writing
  const messages: StreamMessage[] = []
  let isNews = false
  return (entry, more = false) => {
    const steps = stepsOf(entry, writing)
    isNews ||= steps.length > 0
    for (const { changes } of steps)
      for (const change of changes) put(messages, change.index, toMessage(change, entry.at, names))
    const msgStatus = steps.at(-1)?.msgStatus ?? 'generating'
    if (!isNews || (more && !(writing.wanted.legacyEvents && entry.event.type === 'run.started'))) return []
    isNews = false
    return written(entry, writing, [toEnvelope(names, msgStatus, messages)])
  }
}

function stepsOf({ event }: LogEntry, { run, memory, wanted }: Writing): readonly Step[] {
  if (event.type === 'run.started') {
    const value = filesOf(run)
    const begun: Step = { msgStatus: 'generating', changes: [] }
    if (value.length === 0) return [begun]
    const changes = addMessage(memory, { type: 'file_references', value }, 'generated')
    return [begun, { msgStatus: 'generating', changes }]
  }
  const changes = changesOf(memory, event, wanted.showThinking)
  const steps: Step[] = changes.length > 0 ? [{ msgStatus: 'generating', changes }] : []
  return isTerminal(event) ? [...steps, { msgStatus: 'finished', changes: [] }] : steps
}

function written(entry: LogEntry, { run, names, wanted }: Writing, envelopes: readonly Envelope[]): string[] {
  const legacy = wanted.legacyEvents ? legacyFrames(entry, run, names) : { before: [], after: [] }
  const frames: (LegacyFrame | Envelope)[] = [...legacy.before, ...envelopes, ...legacy.after]
  return frames.map((frame) => JSON.stringify(frame))
}

function toEnvelope(
  { sessionId, messageId }: Names,
  msgStatus: Envelope['msgStatus'],
  messages: readonly StreamMessage[],
): Envelope {
  return { sessionId, messageId, msgStatus, messages }
}

function toMessage(
  { index, status, ...said }: Change,
  timestamp: number,
  { messageId }: Names,
): StreamMessage {
  return { ...said, timestamp, id: `${messageId}-${index}`, status }
}

/** Of a text the words are added to those that are there. */
function put(messages: StreamMessage[], index: number, message: StreamMessage): void {
  const known = messages[index]
  messages[index] =
    isText(message) && known && isText(known) ? { ...message, value: known.value + message.value } : message
}

function isText(message: StreamMessage): message is Extract<StreamMessage, { type: 'content' | 'thinking' }> {
  return message.type === 'content' || message.type === 'thinking'
}
