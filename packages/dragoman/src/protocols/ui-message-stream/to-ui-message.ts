import type {
  Answer,
  AssistantMessage,
  AssistantPart,
  Json,
  ToolPart,
  UserMessage,
} from '../../events/index.ts'
import { endsInCalls } from '../ends-in-calls.ts'
import { withoutPrototypeKeys } from '../omit-prototype-keys.ts'
import { toWholeUrl } from '../whole-url.ts'
import { isAnswered, toQuestionData, toVerdict } from '../to-question-data.ts'
import { approvalId } from './approval-chunks.ts'
import { toSteeringPart } from './steering-part.ts'
import { toCustomPart, toFileParts, toProviderExecuted, toSourcePart } from './provider-parts.ts'
import { parseUiViewOptions, type UiViewOptions } from './ui-view-options.ts'

type Fields = { readonly [field: string]: Json }

/** The message as `useChat` keeps it: for `stream: false` and for histories. */
export function toUiMessage(message: AssistantMessage, metadata: Fields, view: Json): Json {
  const uiOptions = parseUiViewOptions(view)
  const parts = message.parts.flatMap((part) => toUiParts(part, uiOptions))
  return withoutPrototypeKeys({
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
  })
}

/** A user's message as `useChat` has it. */
export function toUiUserMessage({ id, clientId, parts }: UserMessage, view: Json): Json {
  const { origin } = parseUiViewOptions(view)
  const uiParts = parts.map((part) =>
    part.type === 'file' ? { ...part, url: toWholeUrl(part.url, origin) } : part,
  )
  return { id: clientId ?? id, role: 'user', parts: uiParts }
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
    case 'source':
      return [toSourcePart(part)]
    case 'file':
      return [...toFileParts(part, uiOptions)]
    case 'custom':
      return uiOptions.profile === 'v7' ? [toCustomPart(part)] : []
    case 'user':
      return [toSteeringPart(part, uiOptions)]
  }
}

/** A call and, for older clients, its question as a data part. */
function toToolParts(part: ToolPart, { profile }: UiViewOptions): Json[] {
  const { callId, tool, input = {}, question, answer } = part
  const state = profile === 'v5' ? toolState(part) : stateWithApproval(part)
  const call = { type: `tool-${tool}`, toolCallId: callId, ...state, ...toProviderExecuted(part) }
  if (!question || (profile !== 'v5' && question.kind !== 'form')) return [call]
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
  if (answer?.kind !== 'approval' || question?.kind === 'form') return toolState(part)
  // The edited input is the part's.
  const { input: _, ...verdict } = toVerdict(answer)
  const approval = { id, ...verdict }
  if (part.state === 'answered') return { state: 'approval-responded', input, approval }
  if (part.state === 'failed' && !answer.approved) return { state: 'output-denied', input, approval }
  return { ...toolState(part), approval }
}

function toolState(part: ToolPart): Fields {
  const { input = {}, output = null } = part
  switch (part.state) {
    case 'input':
      return { state: 'input-streaming', input }
    case 'returned':
      return { state: 'output-available', input, output }
    case 'failed':
      return { state: 'output-error', input, errorText: part.failure?.message ?? 'It failed.' }
    case 'answered':
      // The tool goes on with it.
      if (part.question?.kind === 'form') return { state: 'input-available', input }
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
    case 'form':
      return { state: 'input-available' }
    case 'error':
      return { state: 'output-error', errorText: answer.message }
    case undefined:
      return { state: 'input-available' }
  }
}
