import {
  isForPerson,
  type ClientTool,
  type Json,
  type LogEntry,
  type PatchOperation,
  type ToolEvent,
} from 'dragoman/events'
import { isAnswered, toQuestionData, toToolProgress, toToolText } from 'dragoman/protocols'
import { deltasBefore, messageIdOf, type WireCall, type EncoderContext } from './encoder-memory.ts'
import { progressId, resultId } from './client-ids.ts'
import { encodeEncryptedValue } from './encrypted-value.ts'
import type { AgUiEventBody } from './wire.ts'

/**
 * A client runs its own tool when it gets the call's end. So that end is sent when the run asks for the output.
 * A call that needs an approval is sent only after it, and a call that another tab runs is never sent.
 */
export function encodeToolCall(entry: LogEntry, event: ToolEvent, context: EncoderContext): AgUiEventBody[] {
  const { callId } = event
  const call = context.memory.calls.get(callId)
  switch (event.type) {
    case 'tool.started':
      return startCall(callId, addCall(entry, event, context), context)
    case 'tool.delta':
      return call?.stage === 'open' && event.delta !== ''
        ? [{ type: 'TOOL_CALL_ARGS', toolCallId: callId, delta: event.delta }]
        : []
    case 'tool.called':
      return encodeCalled(entry, event, context)
    case 'tool.asked':
      return encodeAsked(event, context)
    case 'tool.answered':
      context.memory.key = event.key
      return isForPerson(context.memory.progress.calls.get(callId)?.question)
        ? encodeQuestion(event, 'answered', context)
        : []
    case 'tool.executing':
      return []
    case 'tool.progressed':
      return [
        { type: 'CUSTOM', name: 'tool-progress', value: toToolProgress(event) },
        ...encodeActivity(event, call, context),
      ]
    case 'tool.returned':
    case 'tool.failed':
      return encodeOutcome(entry, event, context)
  }
}

type Of<T extends ToolEvent['type']> = Extract<ToolEvent, { type: T }>

/**
 * The progress of a call as an activity, which clients of 1.0 keep with their messages. An encoder remembers no
 * progress, so each event also begins the activity, for a client that does not have it.
 */
function encodeActivity(
  { callId, delta, output }: Of<'tool.progressed'>,
  call: WireCall | undefined,
  { profile }: EncoderContext,
): AgUiEventBody[] {
  if (profile !== 'agui-1.0' || !call || call.stage === 'untold') return []
  const activity = { messageId: progressId(callId), activityType: 'tool-progress' }
  const content = { toolCallId: callId, toolName: call.tool, texts: [] }
  const patch: PatchOperation[] = []
  if (delta !== undefined) patch.push({ op: 'add', path: '/texts/-', value: delta })
  if (output !== undefined) patch.push({ op: 'add', path: '/output', value: output })
  return [
    { type: 'ACTIVITY_SNAPSHOT', ...activity, content, replace: false },
    { type: 'ACTIVITY_DELTA', ...activity, patch },
  ]
}

function addCall(
  entry: LogEntry,
  { callId, tool, by }: Of<'tool.started' | 'tool.called'>,
  context: EncoderContext,
): WireCall {
  const { memory } = context
  const deltas = deltasBefore(entry, memory)
  const call: WireCall = { tool, step: memory.steps, deltas, stage: 'untold', ...(by && { by }) }
  memory.calls.set(callId, call)
  memory.hasCalls = true
  return call
}

function startCall(
  callId: string,
  call: WireCall,
  context: EncoderContext,
  isApproved = false,
): AgUiEventBody[] {
  const { run, view, memory } = context
  const own = clientTool(call, run.request.tools)
  if (own && (view.watches || (own.confirm && !isApproved))) return []
  call.stage = 'open'
  memory.hasCalls = true
  const parentMessageId = messageIdOf(context, call.step)
  const start = { toolCallId: callId, toolCallName: call.tool, parentMessageId }
  return [{ type: 'TOOL_CALL_START', ...start, ...(call.by && { metadata: { by: call.by } }) }]
}

function clientTool({ tool }: WireCall, tools: readonly ClientTool[]): ClientTool | undefined {
  return tools.find(({ name }) => name === tool)
}

function encodeCalled(entry: LogEntry, event: Of<'tool.called'>, context: EncoderContext): AgUiEventBody[] {
  const { callId, input } = event
  const wireCall = context.memory.calls.get(callId)
  const call = wireCall ?? addCall(entry, event, context)
  const events = wireCall ? [] : startCall(callId, call, context)
  if (call.stage === 'untold') return []
  const isStreamed = deltasBefore(entry, context.memory) > call.deltas
  return [
    ...events,
    ...(isStreamed ? [] : [wholeInput(callId, input)]),
    ...encodeEncryptedValue(event.provider, { subtype: 'tool-call', entityId: callId }, context.profile),
    ...(clientTool(call, context.run.request.tools) ? [] : endCall(callId, call)),
  ]
}

function wholeInput(toolCallId: string, input: Json): AgUiEventBody {
  return { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input) }
}

function endCall(toolCallId: string, call: WireCall): AgUiEventBody[] {
  if (call.stage !== 'open') return []
  call.stage = 'ended'
  return [{ type: 'TOOL_CALL_END', toolCallId }]
}

function encodeAsked(event: Of<'tool.asked'>, context: EncoderContext): AgUiEventBody[] {
  const { callId } = event
  if (isForPerson(event.question)) return encodeQuestion(event, 'open', context)
  const { memory } = context
  const call = memory.calls.get(callId)
  if (!call) return []
  if (call.stage === 'open') return endCall(callId, call)
  if (call.stage === 'ended') return []
  const events = startCall(callId, call, context, true)
  const { input = null } = memory.progress.calls.get(callId) ?? {}
  return events.length === 0 ? [] : [...events, wholeInput(callId, input), ...endCall(callId, call)]
}

/** Over HTTP, the end of the client's run contains the approvals. */
function encodeQuestion(
  event: Of<'tool.asked' | 'tool.answered' | 'tool.failed'>,
  state: 'open' | 'answered' | 'closed',
  { profile, memory }: EncoderContext,
): AgUiEventBody[] {
  const call = memory.progress.calls.get(event.callId)
  if (profile !== 'use-ai' || !call) return []
  const openQuestion = event.type === 'tool.asked' ? event.question : call.question
  const answer = event.type === 'tool.answered' ? event.answer : undefined
  if (!openQuestion) return []
  const value = toQuestionData({
    callId: event.callId,
    tool: call.tool,
    input: call.input,
    question: openQuestion,
    state,
    answer,
  })
  return [{ type: 'CUSTOM', name: 'question', value }]
}

/** The client already has the result of its own tool. It gets only other results. */
function encodeOutcome(
  entry: LogEntry,
  event: Of<'tool.returned' | 'tool.failed'>,
  context: EncoderContext,
): AgUiEventBody[] {
  const { memory } = context
  const { callId } = event
  const call = memory.calls.get(callId)
  const callProgress = memory.progress.calls.get(callId)
  memory.calls.delete(callId)
  const isUnanswered =
    event.type === 'tool.failed' && isForPerson(callProgress?.question) && !isAnswered(callProgress ?? {})
  const closedQuestion = isUnanswered ? encodeQuestion(event, 'closed', context) : []
  if (!call || call.stage === 'untold') return closedQuestion
  if (callProgress?.question?.kind === 'output' && isAnswered(callProgress) && !context.view.replays)
    return []
  const content =
    event.type === 'tool.returned' ? toToolText(event.output, event.text) : event.failure.message
  const result = { messageId: resultId(callId), toolCallId: callId, content, role: 'tool' } as const
  return [
    ...closedQuestion,
    ...closeCall(entry, callId, call, context),
    { type: 'TOOL_CALL_RESULT', ...result },
  ]
}

/** Closes a call that was cut off. In use-ai, the end would make the page run its own tool. */
function closeCall(
  entry: LogEntry,
  callId: string,
  call: WireCall,
  context: EncoderContext,
): AgUiEventBody[] {
  if (call.stage === 'ended') return []
  if (context.profile === 'use-ai' && clientTool(call, context.run.request.tools)) return []
  const isBare =
    deltasBefore(entry, context.memory) === call.deltas && !context.memory.progress.calls.has(callId)
  return [...(isBare ? [wholeInput(callId, {})] : []), ...endCall(callId, call)]
}
