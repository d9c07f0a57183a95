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
import { toOutcome } from './tool-calls.ts'
import { fileReferences } from './file-references.ts'
import { toNotice } from './notice.ts'
import { envelopeView, namesOf } from './envelope-view.ts'
import type { MessageStatus, MessageContent } from './wire.ts'

type MessageDraft = { readonly content: MessageContent; readonly status: MessageStatus }

/** The whole answer in one envelope. A message does not know when its parts were said: their time is the run's. */
export function wholeAnswer(run: Run, view: Json, message: AssistantMessage): Json {
  const options = envelopeView(view)
  const { sessionId, messageId } = namesOf(run, options)
  const files = fileReferences(run)
  const end = endOf(message)
  const notice = end && toNotice(end)
  const drafts = [
    ...(files.length > 0 ? [generated({ type: 'file_references', value: files })] : []),
    ...message.parts.flatMap((part) => toDrafts(part, options.showThinking)),
    ...(notice ? [generated(notice)] : []),
  ]
  const messages = drafts.map(({ content: { type, value }, status }, index) => {
    return { type, value, timestamp: run.createdAt, id: `${messageId}-${index}`, status }
  })
  return { sessionId, messageId, msgStatus: end ? 'finished' : 'generating', messages }
}

function toDrafts(part: AssistantPart, showThinking: boolean): readonly MessageDraft[] {
  switch (part.type) {
    case 'step':
      return []
    case 'text':
      return [
        { content: { type: 'content', value: part.text }, status: part.open ? 'generating' : 'generated' },
      ]
    case 'reasoning':
      return showThinking
        ? [
            {
              content: { type: 'thinking', value: part.text },
              status: part.open ? 'generating' : 'generated',
            },
          ]
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
function toCall({ callId, tool, state, input, ...part }: ToolPart): readonly MessageDraft[] {
  const call = { callId, name: tool, args: input ?? {} }
  const request = { type: 'tool_call_request', value: call } as const
  const requested = generated(request)
  switch (state) {
    case 'input':
      return [{ content: request, status: 'generating' }]
    case 'called':
    case 'answered':
      return [requested]
    case 'asked':
      return [
        requested,
        ...(part.question
          ? [
              {
                content: { type: 'tool_question', value: { ...call, ...part.question } },
                status: 'generating',
              } as const,
            ]
          : []),
      ]
    case 'executing':
      return [requested, { content: { type: 'tool_execution_start', value: call }, status: 'generating' }]
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

function generated(content: MessageContent): MessageDraft {
  return { content, status: 'generated' }
}

/** How it ended, if it has. */
function endOf({ status, failure, finishReason = 'other' }: AssistantMessage): TerminalEvent | undefined {
  if (status === 'streaming' || status === 'waiting') return undefined
  if (failure) return { type: 'run.failed', failure, usage: noUsage }
  if (status === 'cancelled') return { type: 'run.cancelled', by: '', usage: noUsage }
  return { type: 'run.finished', reason: finishReason, usage: noUsage }
}
