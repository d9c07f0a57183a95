import {
  noUsage,
  type AssistantMessage,
  type AssistantPart,
  type Json,
  type Run,
  type RunEvent,
  type TerminalEvent,
  type ToolPart,
} from 'dragoman/events'
import { toMessageChanges } from './to-message-changes.ts'
import { firstMessages, setMessage, toMessage } from './encode.ts'
import { newState } from './encoder-state.ts'
import { envelopeView, namesOf } from './envelope-view.ts'
import type { StreamMessage } from './wire.ts'

/** The whole answer in one envelope. The parts of a message have no times, so all get the time of the run. */
export function wholeAnswer(run: Run, view: Json, message: AssistantMessage): Json {
  const options = envelopeView(view)
  const names = namesOf(run, options)
  const state = newState()
  const end = endOf(message)
  const events = [...message.parts.flatMap(toEvents), ...(end ? [end] : [])]
  const changes = [
    ...firstMessages(run, state, options),
    ...events.flatMap((event) => toMessageChanges(state, event, options)),
  ]
  const messages: StreamMessage[] = []
  for (const change of changes) setMessage(messages, change.index, toMessage(change, run.createdAt, names))
  const { sessionId, messageId } = names
  return { sessionId, messageId, msgStatus: end ? 'finished' : 'generating', messages }
}

/** The events that make a part. */
function toEvents(part: AssistantPart): readonly RunEvent[] {
  switch (part.type) {
    case 'step':
      return []
    case 'text':
    case 'reasoning': {
      const { type, partId, text: delta } = part
      const ended: RunEvent[] = part.open ? [] : [{ type: `${type}.ended`, partId }]
      return [{ type: `${type}.started`, partId }, { type: `${type}.delta`, partId, delta }, ...ended]
    }
    case 'data':
    case 'source':
    case 'file':
    case 'custom':
      return [part]
    case 'user':
      return [{ ...part, type: 'user.joined' }]
    case 'tool':
      return toToolEvents(part)
  }
}

function toToolEvents({ callId, tool, input = {}, ...part }: ToolPart): readonly RunEvent[] {
  const { question, failure, output = null, text = '', modelInput } = part
  const request: RunEvent = { type: 'tool.called', callId, tool, input: modelInput ?? input }
  const edit = { kind: 'approval', approved: true, input } as const
  const edited: RunEvent[] =
    modelInput === undefined ? [] : [{ type: 'tool.answered', callId, answer: edit, by: '' }]
  const called = [request, ...edited]
  switch (part.state) {
    case 'input':
      return [{ type: 'tool.started', callId, tool }]
    case 'called':
    case 'answered':
      return called
    case 'asked':
      return [...called, ...(question ? [{ type: 'tool.asked', callId, question } as const] : [])]
    case 'executing':
      return [...called, { type: 'tool.executing', callId }]
    case 'returned':
      return [...called, { type: 'tool.returned', callId, output, text }]
    case 'failed':
      return [...called, ...(failure ? [{ type: 'tool.failed', callId, failure } as const] : [])]
  }
}

/** How it ended, if it has. */
function endOf({ status, failure, finishReason = 'other' }: AssistantMessage): TerminalEvent | undefined {
  if (status === 'streaming' || status === 'waiting') return undefined
  if (failure) return { type: 'run.failed', failure, usage: noUsage }
  if (status === 'cancelled') return { type: 'run.cancelled', by: '', usage: noUsage }
  return { type: 'run.finished', reason: finishReason, usage: noUsage }
}
