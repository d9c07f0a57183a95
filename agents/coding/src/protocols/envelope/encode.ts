import { isTerminal, type Json, type LogEntry, type Run } from 'dragoman/events'
import type { Encoder } from 'dragoman/protocols'
import { toMessageChanges } from './to-message-changes.ts'
import { fileReferences } from './file-references.ts'
import { legacyFrames } from './legacy-frames.ts'
import { addMessage, newState, type Change, type EncoderState } from './encoder-state.ts'
import { envelopeView, namesOf, type EnvelopeView, type Names } from './envelope-view.ts'
import type { Envelope, LegacyFrame, StreamMessage } from './wire.ts'

/** The envelopes of an entry. The finished envelope has no changes, so that a client may leave at it. */
type Step = { readonly msgStatus: Envelope['msgStatus']; readonly changes: readonly Change[] }

type EncoderContext = {
  readonly run: Run
  readonly names: Names
  readonly options: EnvelopeView
  readonly state: EncoderState
}

/** Writes a run's log as envelopes: each of what is new, or of all that was said so far. */
export function encoder({ run, view }: { run: Run; view: Json }): Encoder {
  const options = envelopeView(view)
  const context = { run, options, names: namesOf(run, options), state: newState() }
  return options.responseMode === 'full' ? full(context) : incremental(context)
}

function incremental(context: EncoderContext): Encoder {
  const { names } = context
  return (entry) => {
    const envelopes = stepsOf(entry, context).map(({ msgStatus, changes }) =>
      toEnvelope(
        names,
        msgStatus,
        changes.map((change) => toMessage(change, entry.at, names)),
      ),
    )
    return toFrames(entry, context, envelopes)
  }
}

/** Writes one envelope per entry and skips it if more entries follow, unless legacy frames belong to it. */
function full(context: EncoderContext): Encoder {
  const { names } = context
  const messages: StreamMessage[] = []
  let hasNews = false
  return (entry, more = false) => {
    const steps = stepsOf(entry, context)
    hasNews ||= steps.length > 0
    for (const { changes } of steps)
      for (const change of changes) setMessage(messages, change.index, toMessage(change, entry.at, names))
    const msgStatus = steps.at(-1)?.msgStatus ?? 'generating'
    if (!hasNews || (more && !(context.options.legacyEvents && entry.event.type === 'run.started'))) return []
    hasNews = false
    return toFrames(entry, context, [toEnvelope(names, msgStatus, messages)])
  }
}

function stepsOf({ event }: LogEntry, { run, state, options }: EncoderContext): readonly Step[] {
  if (event.type === 'run.started') {
    const started: Step = { msgStatus: 'generating', changes: [] }
    const changes = firstMessages(run, state, options)
    return changes.length > 0 ? [started, { msgStatus: 'generating', changes }] : [started]
  }
  const changes = toMessageChanges(state, event, options)
  const steps: Step[] = changes.length > 0 ? [{ msgStatus: 'generating', changes }] : []
  return isTerminal(event) ? [...steps, { msgStatus: 'finished', changes: [] }] : steps
}

/** What a run says of its request, before anything else. */
export function firstMessages(run: Run, state: EncoderState, options: EnvelopeView): readonly Change[] {
  const value = fileReferences(run)
  return [
    ...(options.unknownModel ? addMessage(state, UNKNOWN_MODEL, 'generated') : []),
    ...(value ? addMessage(state, { type: 'file_references', value }, 'generated') : []),
  ]
}

const UNKNOWN_MODEL = {
  type: 'warning',
  value: {
    code: 'unknown-model',
    message: 'The model that was asked for is not known here: the agent’s own model answers.',
  },
} as const

function toFrames(
  entry: LogEntry,
  { run, names, options }: EncoderContext,
  envelopes: readonly Envelope[],
): string[] {
  const legacy = options.legacyEvents ? legacyFrames(entry, run, names) : { before: [], after: [] }
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

export function toMessage(
  { index, status, ...said }: Change,
  timestamp: number,
  { messageId }: Names,
): StreamMessage {
  return { ...said, timestamp, id: `${messageId}-${index}`, status }
}

/** Of a text the words are added to those that are there. */
export function setMessage(messages: StreamMessage[], index: number, message: StreamMessage): void {
  const previous = messages[index]
  messages[index] =
    isText(message) && previous && isText(previous)
      ? { ...message, value: previous.value + message.value }
      : message
}

function isText(message: StreamMessage): message is Extract<StreamMessage, { type: 'content' | 'thinking' }> {
  return message.type === 'content' || message.type === 'thinking'
}
