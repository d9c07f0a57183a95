import type { Answer, AssistantMessage, AssistantPart, Json, ToolPart } from '../../events/index.ts'
import { endsInCalls } from '../ends-in-calls.ts'
import { toUserMessageData } from '../to-user-message-data.ts'
import { isAnswered, toQuestionData, toVerdict } from '../to-question-data.ts'
import { toToolOutput } from '../tool-output.ts'
import { approvalId } from './approval-chunks.ts'
import { parseUiViewOptions, type UiViewOptions } from './ui-view-options.ts'

type Fields = { readonly [field: string]: Json }

/** The message as `useChat` keeps it: for `stream: false` and for histories. */
export function toUiMessage(message: AssistantMessage, metadata: Fields, view: Json): Json {
  const uiOptions = parseUiViewOptions(view)
  const parts = message.parts.flatMap((part) => toUiParts(part, uiOptions))
  return {
    id: message.id,
    role: 'assistant',
    metadata: {
      ...metadata,
      ...(message.usage && { usage: message.usage }),
      ...(message.status === 'waiting' && { finishReason: 'tool-calls', waiting: openCalls(message) }),
      ...(message.status === 'cancelled' && { stopped: true }),
      ...(message.failure && { error: message.failure.message }),
    },
    parts: endsInCalls(message) ? [...parts, { type: 'step-start' }] : parts,
  }
}

function openCalls({ parts }: AssistantMessage): string[] {
  return parts.flatMap((part) => (part.type === 'tool' && part.state === 'asked' ? [part.callId] : []))
}

function toUiParts(part: AssistantPart, uiOptions: UiViewOptions): Json[] {
  switch (part.type) {
    case 'step':
      return [{ type: 'step-start' }]
    case 'reasoning':
    case 'text':
      if (part.type === 'reasoning' && !uiOptions.showThinking) return []
      return [{ type: part.type, text: part.text, state: part.open ? 'streaming' : 'done' }]
    case 'tool':
      return toToolParts(part, uiOptions)
    case 'data':
      return [{ type: `data-${part.name}`, ...(part.id !== undefined && { id: part.id }), data: part.value }]
    case 'user':
      return [toUserMessageData(part)]
  }
}

/** A call and, for older clients, its question as a data part. */
function toToolParts(part: ToolPart, { profile }: UiViewOptions): Json[] {
  const { callId, tool, input = {}, question, answer } = part
  const state = profile ? stateWithApproval(part) : toolState(part)
  const call = { type: `tool-${tool}`, toolCallId: callId, ...state }
  if (profile || !question) return [call]
  const open = part.state === 'asked' ? 'open' : 'closed'
  const questionData = toQuestionData({
    callId,
    tool,
    input,
    question,
    answer,
    state: isAnswered(part) ? 'answered' : open,
  })
  return [call, { type: 'data-question', id: callId, data: questionData }]
}

function stateWithApproval(part: ToolPart): Fields {
  const { callId, input = {}, question, answer } = part
  const id = approvalId(callId)
  if (question?.kind === 'approval' && part.state === 'asked')
    return { state: 'approval-requested', input, approval: { id } }
  if (answer?.kind !== 'approval') return toolState(part)
  const approval = { id, ...toVerdict(answer) }
  if (part.state === 'answered') return { state: 'approval-responded', input, approval }
  if (part.state === 'failed' && !answer.approved) return { state: 'output-denied', input, approval }
  return { ...toolState(part), approval }
}

function toolState(part: ToolPart): Fields {
  const { input = {} } = part
  switch (part.state) {
    case 'input':
      return { state: 'input-streaming', input }
    case 'returned':
      return {
        state: 'output-available',
        input,
        output: toToolOutput(part.output ?? null, part.text ?? '', part.answer),
      }
    case 'failed':
      return { state: 'output-error', input, errorText: part.failure?.message ?? 'It failed.' }
    case 'answered':
      return { ...answerFields(part.answer), input }
    case 'called':
    case 'asked':
    case 'executing':
      return { state: 'input-available', input }
  }
}

/** As the client has it that answered: with that it sends by itself once the other questions are answered too. */
function answerFields(answer: Answer | undefined): Fields {
  switch (answer?.kind) {
    case 'approval':
      return { state: 'output-available', output: toVerdict(answer) }
    case 'output':
      return { state: 'output-available', output: answer.output }
    case 'error':
      return { state: 'output-error', errorText: answer.message }
    case undefined:
      return { state: 'input-available' }
  }
}
