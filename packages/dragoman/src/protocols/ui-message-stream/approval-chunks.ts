import { editedInput, type ToolEvent } from '../../events/index.ts'
import { toQuestionData } from '../to-question-data.ts'
import { withQuestion, type OpenCall } from '../run-progress.ts'
import type { UiViewOptions } from './ui-view-options.ts'
import type { Chunk } from './wire.ts'

type Of<T extends ToolEvent['type']> = Extract<ToolEvent, { type: T }>
type Profile = UiViewOptions['profile']

/**
 * The client's id of an approval. The client sends it back within the call, and the call's id identifies the
 * question.
 */
export function approvalId(callId: string): string {
  return `approval_${callId}`
}

/**
 * Every client can show a data part. A newer one has its own state for a call that needs an approval, and none for
 * a form, and runs its own tools by name.
 */
export function encodeAsked(
  { callId, question }: Of<'tool.asked'>,
  call: OpenCall | undefined,
  profile: Profile,
): readonly Chunk[] {
  if (!call) return []
  if (profile === 'v5' || question.kind === 'form')
    return [questionChunk(callId, withQuestion(call, question), 'open')]
  return question.kind === 'approval'
    ? [{ type: 'tool-approval-request', approvalId: approvalId(callId), toolCallId: callId }]
    : []
}

export function encodeAnswered(
  { callId, answer }: Of<'tool.answered'>,
  call: OpenCall | undefined,
  profile: Profile,
): readonly Chunk[] {
  if (!call) return []
  const input = editedInput(answer)
  const changed = input === undefined ? [] : [toInputAvailable(callId, { ...call, input })]
  if (profile === 'v5' || call.question?.kind === 'form')
    return [...changed, questionChunk(callId, { ...call, input: input ?? call.input, answer }, 'answered')]
  if (profile !== 'v7' || answer.kind !== 'approval') return []
  const { approved, reason } = answer
  return [
    {
      type: 'tool-approval-response',
      approvalId: approvalId(callId),
      approved,
      ...(reason !== undefined && { reason }),
    },
    ...changed,
  ]
}

/**
 * Version 6 has no chunk for an approval. If its input is sent again, the call no longer asks and is shown as
 * running.
 */
export function encodeExecuting(
  callId: string,
  call: OpenCall | undefined,
  profile: Profile,
): readonly Chunk[] {
  if (profile === 'v5' || profile === 'v7' || call?.answer?.kind !== 'approval') return []
  return [toInputAvailable(callId, call)]
}

export function toInputAvailable(
  toolCallId: string,
  { tool, input }: Pick<OpenCall, 'tool' | 'input'>,
): Chunk {
  return { type: 'tool-input-available', toolCallId, toolName: tool, input }
}

export function encodeFailed(
  { callId, failure }: Of<'tool.failed'>,
  call: OpenCall | undefined,
  profile: Profile,
): readonly Chunk[] {
  const isForm = call?.question?.kind === 'form'
  const isDenied = !isForm && call?.answer?.kind === 'approval' && !call.answer.approved
  if (profile !== 'v5' && isDenied) return [{ type: 'tool-output-denied', toolCallId: callId }]
  return [
    ...((profile === 'v5' || isForm) && call?.question && !call.answer
      ? [questionChunk(callId, call, 'closed')]
      : []),
    { type: 'tool-output-error', toolCallId: callId, errorText: failure.message },
  ]
}

function questionChunk(
  callId: string,
  { tool, input, question, answer }: OpenCall,
  state: 'open' | 'answered' | 'closed',
): Chunk {
  const openQuestion = question ?? { kind: 'output' }
  const data = toQuestionData({ callId, tool, input, question: openQuestion, state, answer })
  return { type: 'data-question', id: callId, data }
}
