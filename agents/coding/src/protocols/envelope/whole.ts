import {
  noUsage,
  type AssistantMessage,
  type AssistantPart,
  type Json,
  type Run,
  type TerminalEvent,
  type ToolPart,
} from 'dragoman/events'
import { toUserMessageData } from 'dragoman/protocols'
import { toOutcome } from './calls.ts'
import { filesOf } from './files.ts'
import { toNotice } from './notice.ts'
import { envelopeView, namesOf } from './view.ts'
import type { MessageStatus, Said } from './wire.ts'

type Told = { readonly said: Said; readonly status: MessageStatus }

/** The whole answer in one envelope. A message does not know when its parts were said: their time is the run's. */
export function whole(run: Run, view: Json, message: AssistantMessage): Json {
  const wanted = envelopeView(view)
  const { sessionId, messageId } = namesOf(run, wanted)
  const files = filesOf(run)
  const end = endOf(message)
  const notice = end && toNotice(end)
  const told = [
    ...(files.length > 0 ? [generated({ type: 'file_references', value: files })] : []),
    ...message.parts.flatMap((part) => toTold(part, wanted.showThinking)),
    ...(notice ? [generated(notice)] : []),
  ]
  const messages = told.map(({ said: { type, value }, status }, index) => {
    return { type, value, timestamp: run.createdAt, id: `${messageId}-${index}`, status }
  })
  return { sessionId, messageId, msgStatus: end ? 'finished' : 'generating', messages }
}

function toTold(part: AssistantPart, showThinking: boolean): readonly Told[] {
  switch (part.type) {
    case 'step':
      return []
    case 'text':
      return [{ said: { type: 'content', value: part.text }, status: part.open ? 'generating' : 'generated' }]
    case 'reasoning':
      return showThinking
        ? [{ said: { type: 'thinking', value: part.text }, status: part.open ? 'generating' : 'generated' }]
        : []
    case 'data': {
      const { name, id, value: data } = part
      return [generated({ type: 'data', value: { name, ...(id !== undefined && { id }), data } })]
    }
    case 'user': {
      const { id, data } = toUserMessageData(part)
      return [generated({ type: 'data', value: { name: 'user-message', id, data } })]
    }
    case 'tool':
      return toCall(part)
  }
}

/** What was asked for, and what has come of it, or is to come. */
function toCall({ callId, tool, state, input, ...part }: ToolPart): readonly Told[] {
  const call = { callId, name: tool, args: input ?? {} }
  const request = { type: 'tool_call_request', value: call } as const
  const requested = generated(request)
  switch (state) {
    case 'input':
      return [{ said: request, status: 'generating' }]
    case 'called':
    case 'answered':
      return [requested]
    case 'asked':
      return [
        requested,
        ...(part.question
          ? [
              {
                said: { type: 'tool_question', value: { ...call, ...part.question } },
                status: 'generating',
              } as const,
            ]
          : []),
      ]
    case 'executing':
      return [requested, { said: { type: 'tool_execution_start', value: call }, status: 'generating' }]
    case 'returned': {
      const { output = null, text = '' } = part
      return [requested, generated(toOutcome(call, { type: 'tool.returned', callId, output, text }))]
    }
    case 'failed':
      return part.failure
        ? [requested, generated(toOutcome(call, { type: 'tool.failed', callId, failure: part.failure }))]
        : [requested]
  }
}

function generated(said: Said): Told {
  return { said, status: 'generated' }
}

/** How it ended, if it has. */
function endOf({ status, failure, finishReason = 'other' }: AssistantMessage): TerminalEvent | undefined {
  if (status === 'streaming' || status === 'waiting') return undefined
  if (failure) return { type: 'run.failed', failure, usage: noUsage }
  if (status === 'cancelled') return { type: 'run.cancelled', by: '', usage: noUsage }
  return { type: 'run.finished', reason: finishReason, usage: noUsage }
}
