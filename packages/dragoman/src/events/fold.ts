import { isJsonObject, type Json } from './json.ts'
import type { AssistantMessage, AssistantPart, TextPart, ToolPart } from './message.ts'
import type { CustomEvent, FileEvent, SourceEvent } from './provider-event.ts'
import { editedInput, type Answer, type Question } from './question.ts'
import type { RunEvent } from './run-event.ts'

/** Of the texts that a call reports, in characters. */
const MAX_PROGRESS_LENGTH = 4000

/**
 * An assistant message without parts.
 *
 * @example
 * const message = fold(emptyMessage('msg_1'), { type: 'text.started', partId: 't1' })
 */
export function emptyMessage(id: string): AssistantMessage {
  return { role: 'assistant', id, status: 'streaming', parts: [] }
}

/**
 * Folds one event into a run's message. An event that changes nothing returns the same object.
 *
 * @example
 * const message = fold(emptyMessage('msg_1'), { type: 'text.started', partId: 't1' })
 */
export function fold(message: AssistantMessage, event: RunEvent): AssistantMessage {
  switch (event.type) {
    case 'run.started':
    case 'run.stop-requested':
    case 'step.finished':
    case 'state.changed':
      return message
    case 'run.waiting':
      return { ...message, status: 'waiting' }
    case 'run.resumed':
      return { ...message, status: 'streaming' }
    case 'user.joined': {
      const { messageId, clientId, input } = event
      return addPart(message, { type: 'user', messageId, ...(clientId !== undefined && { clientId }), input })
    }
    case 'step.started':
      return addPart(message, { type: 'step', model: event.model })
    case 'text.started':
      return addPart(message, { type: 'text', partId: event.partId, text: '', open: true })
    case 'reasoning.started':
      return addPart(message, { type: 'reasoning', partId: event.partId, text: '', open: true })
    case 'text.delta':
    case 'reasoning.delta':
      return changeText(message, event.partId, (part) => ({ ...part, text: part.text + event.delta }))
    case 'text.ended':
    case 'reasoning.ended':
      return changeText(message, event.partId, (part) => ({ ...part, open: false, ...providerField(event) }))
    case 'tool.started':
      return addPart(message, {
        type: 'tool',
        callId: event.callId,
        tool: event.tool,
        state: 'input',
        inputText: '',
        ...(event.by && { by: event.by }),
      })
    case 'tool.delta':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
    case 'tool.failed':
      return changeCall(message, event.callId, (part) => foldCall(part, event))
    case 'tool.called':
      return foldCalled(message, event)
    case 'data':
      return foldData(message, event)
    case 'source':
    case 'file':
    case 'custom':
      return addPart(message, toPart(event))
    case 'run.finished':
      return { ...message, status: 'finished', finishReason: event.reason, usage: event.usage }
    case 'run.failed':
      return { ...message, status: 'failed', failure: event.failure, usage: event.usage }
    case 'run.cancelled':
      return { ...message, status: 'cancelled', finishReason: 'stop', usage: event.usage }
  }
}

type CallEvent = Extract<RunEvent, { callId: string }>

function foldCall(
  part: ToolPart,
  event: Exclude<CallEvent, { type: 'tool.started' | 'tool.called' }>,
): ToolPart {
  switch (event.type) {
    case 'tool.delta':
      return { ...part, inputText: part.inputText + event.delta }
    case 'tool.asked':
      return foldQuestion(part, event.question)
    case 'tool.answered':
      return foldAnswer(part, event.answer)
    case 'tool.executing':
      return { ...part, state: 'executing' }
    case 'tool.progressed':
      return { ...part, progress: progressOf(part, event) }
    case 'tool.returned':
      return {
        ...part,
        state: 'returned',
        ...outputField(event),
        text: event.text,
        ...outcomeFields(part, event),
      }
    case 'tool.failed':
      return { ...part, state: 'failed', failure: event.failure, ...outcomeFields(part, event) }
  }
}

/** A provider's data of a call and of its outcome are one: both go back to it with the call. */
function outcomeFields(
  part: ToolPart,
  { by, provider }: Extract<CallEvent, { type: 'tool.returned' | 'tool.failed' }>,
): Pick<ToolPart, 'by' | 'provider'> {
  const call = isJsonObject(part.provider) ? part.provider : {}
  return { ...(by && { by }), ...(isJsonObject(provider) && { provider: { ...call, ...provider } }) }
}

/** The newest output, or else the end of the texts. */
function progressOf(
  { progress = '' }: ToolPart,
  { delta = '', output }: Extract<RunEvent, { type: 'tool.progressed' }>,
): Json {
  if (output !== undefined) return output
  return typeof progress === 'string' ? (progress + delta).slice(-MAX_PROGRESS_LENGTH) : progress
}

/** The input is the one with which the call runs. */
function foldAnswer(part: ToolPart, answer: Answer): ToolPart {
  const input = editedInput(answer)
  const edited = input === undefined ? {} : { input, modelInput: part.modelInput ?? part.input ?? null }
  return { ...part, state: 'answered', answer, ...edited }
}

/** A second question discards the answer to the first. The basis of a preview is for the tool alone. */
function foldQuestion(part: ToolPart, { basis: _own, ...question }: Question): ToolPart {
  const { answer: _, ...unanswered } = part
  return { ...unanswered, state: 'asked', question }
}

/** The input of a call is not always streamed. */
function foldCalled(
  message: AssistantMessage,
  event: Extract<RunEvent, { type: 'tool.called' }>,
): AssistantMessage {
  const { callId, tool, input, by } = event
  const own = { ...providerField(event), ...(by && { by }) }
  const part = { type: 'tool', callId, tool, state: 'called', input, ...own } as const
  if (!message.parts.some((other) => other.type === 'tool' && other.callId === callId)) {
    return addPart(message, { ...part, inputText: '' })
  }
  return changeCall(message, callId, (call) => ({ ...call, ...part }))
}

/** Readers fold entries, which have more fields than the event. */
function toPart(event: SourceEvent | FileEvent | CustomEvent): AssistantPart {
  if (event.type === 'source') return toSource(event)
  if (event.type === 'custom') return { type: 'custom', kind: event.kind, ...providerField(event) }
  const { type, url, mediaType, kind, filename, callId } = event
  const ofCall = { ...(filename !== undefined && { filename }), ...(callId !== undefined && { callId }) }
  return { type, url, mediaType, kind, ...ofCall, ...providerField(event) }
}

function toSource(event: SourceEvent): SourceEvent {
  const { type, sourceId, url, title, mediaType, filename } = event
  return {
    type,
    sourceId,
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(mediaType !== undefined && { mediaType }),
    ...(filename !== undefined && { filename }),
    ...providerField(event),
  }
}

/** A data part with an id replaces an earlier part with that id. */
function foldData(message: AssistantMessage, event: Extract<RunEvent, { type: 'data' }>): AssistantMessage {
  if (event.transient) return message
  const { name, id, value } = event
  const part: AssistantPart = { type: 'data', name, value, ...(id !== undefined && { id }) }
  const at = message.parts.findIndex(
    (existing) =>
      existing.type === 'data' && id !== undefined && existing.name === name && existing.id === id,
  )
  return at < 0 ? addPart(message, part) : { ...message, parts: message.parts.with(at, part) }
}

function addPart(message: AssistantMessage, part: AssistantPart): AssistantMessage {
  return { ...message, parts: [...message.parts, part] }
}

function changeText(
  message: AssistantMessage,
  partId: string,
  change: (part: TextPart) => TextPart,
): AssistantMessage {
  const at = message.parts.findLastIndex((part) => 'partId' in part && part.partId === partId)
  const part = message.parts[at]
  return part && 'partId' in part ? { ...message, parts: message.parts.with(at, change(part)) } : message
}

function changeCall(
  message: AssistantMessage,
  callId: string,
  change: (part: ToolPart) => ToolPart,
): AssistantMessage {
  const at = message.parts.findLastIndex((part) => part.type === 'tool' && part.callId === callId)
  const part = message.parts[at]
  if (part?.type !== 'tool') return message
  const next = change(part)
  return next === part ? message : { ...message, parts: message.parts.with(at, next) }
}

function outputField({ output }: Pick<ToolPart, 'output'>): Pick<ToolPart, 'output'> {
  return output === undefined ? {} : { output }
}

function providerField(event: { readonly provider?: unknown }): object {
  return event.provider === undefined ? {} : { provider: event.provider }
}
