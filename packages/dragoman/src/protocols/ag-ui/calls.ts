import type { ClientTool, Json, LogEntry, ToolEvent } from '../../events/index.ts'
import { isAnswered, toQuestion } from '../question.ts'
import { toProgress, toWords } from '../tool-output.ts'
import { deltasBefore, messageIdOf, type ToldCall, type Writing } from './memory.ts'
import { resultId } from './names.ts'
import type { AgUiWord } from './wire.ts'

/**
 * A client runs its own tool once it has heard the call's end: that comes when the run asks for it. One that needs a yes is not told of
 * before the yes, one that another tab runs never.
 */
export function callWords(entry: LogEntry, event: ToolEvent, writing: Writing): AgUiWord[] {
  const { callId } = event
  const call = writing.memory.calls.get(callId)
  switch (event.type) {
    case 'tool.started':
      return begin(callId, keep(entry, event, writing), writing)
    case 'tool.delta':
      return call?.stage === 'open' && event.delta !== ''
        ? [{ type: 'TOOL_CALL_ARGS', toolCallId: callId, delta: event.delta }]
        : []
    case 'tool.called':
      return called(entry, event, writing)
    case 'tool.asked':
      return asked(event, writing)
    case 'tool.answered':
      writing.memory.key = event.key
      return event.answer.kind === 'approval' ? question(event, 'answered', writing) : []
    case 'tool.executing':
      return []
    case 'tool.progressed':
      return [{ type: 'CUSTOM', name: 'tool-progress', value: toProgress(event) }]
    case 'tool.returned':
    case 'tool.failed':
      return settled(entry, event, writing)
  }
}

type Of<T extends ToolEvent['type']> = Extract<ToolEvent, { type: T }>

function keep(
  entry: LogEntry,
  { callId, tool }: Of<'tool.started' | 'tool.called'>,
  writing: Writing,
): ToldCall {
  const { memory } = writing
  const call: ToldCall = { tool, step: memory.steps, deltas: deltasBefore(entry, memory), stage: 'untold' }
  memory.calls.set(callId, call)
  memory.hasCalls = true
  return call
}

function begin(callId: string, call: ToldCall, writing: Writing, hasYes = false): AgUiWord[] {
  const { run, view, memory } = writing
  const own = clientTool(call, run.request.tools)
  if (own && (view.watches || (own.confirm && !hasYes))) return []
  call.stage = 'open'
  memory.hasCalls = true
  const parentMessageId = messageIdOf(writing, call.step)
  return [{ type: 'TOOL_CALL_START', toolCallId: callId, toolCallName: call.tool, parentMessageId }]
}

function clientTool({ tool }: ToldCall, tools: readonly ClientTool[]): ClientTool | undefined {
  return tools.find(({ name }) => name === tool)
}

function called(entry: LogEntry, event: Of<'tool.called'>, writing: Writing): AgUiWord[] {
  const { callId, input } = event
  const known = writing.memory.calls.get(callId)
  const call = known ?? keep(entry, event, writing)
  const words = known ? [] : begin(callId, call, writing)
  if (call.stage === 'untold') return []
  const isStreamed = deltasBefore(entry, writing.memory) > call.deltas
  return [
    ...words,
    ...(isStreamed ? [] : [whole(callId, input)]),
    ...(clientTool(call, writing.run.request.tools) ? [] : end(callId, call)),
  ]
}

function whole(toolCallId: string, input: Json): AgUiWord {
  return { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input) }
}

function end(toolCallId: string, call: ToldCall): AgUiWord[] {
  if (call.stage !== 'open') return []
  call.stage = 'ended'
  return [{ type: 'TOOL_CALL_END', toolCallId }]
}

function asked(event: Of<'tool.asked'>, writing: Writing): AgUiWord[] {
  const { callId } = event
  if (event.question.kind === 'approval') return question(event, 'open', writing)
  const { memory } = writing
  const call = memory.calls.get(callId)
  if (!call) return []
  if (call.stage === 'open') return end(callId, call)
  if (call.stage === 'ended') return []
  const words = begin(callId, call, writing, true)
  const { input = null } = memory.soFar.calls.get(callId) ?? {}
  return words.length === 0 ? [] : [...words, whole(callId, input), ...end(callId, call)]
}

/** Over HTTP what waits for a yes is said where the run ends for its client. */
function question(
  event: Of<'tool.asked' | 'tool.answered' | 'tool.failed'>,
  state: 'open' | 'answered' | 'closed',
  { profile, memory }: Writing,
): AgUiWord[] {
  const known = memory.soFar.calls.get(event.callId)
  if (profile !== 'use-ai' || !known) return []
  const asks = event.type === 'tool.asked' ? event.question : known.question
  const answer = event.type === 'tool.answered' ? event.answer : undefined
  if (!asks) return []
  const value = toQuestion({
    callId: event.callId,
    tool: known.tool,
    input: known.input,
    question: asks,
    state,
    answer,
  })
  return [{ type: 'CUSTOM', name: 'question', value }]
}

/** What a client's own tool gave, or how it failed, the client has: it is told what came otherwise. */
function settled(entry: LogEntry, event: Of<'tool.returned' | 'tool.failed'>, writing: Writing): AgUiWord[] {
  const { memory } = writing
  const { callId } = event
  const call = memory.calls.get(callId)
  const known = memory.soFar.calls.get(callId)
  memory.calls.delete(callId)
  const isLeft = event.type === 'tool.failed' && known?.question?.kind === 'approval' && !isAnswered(known)
  const closed = isLeft ? question(event, 'closed', writing) : []
  if (!call || call.stage === 'untold') return closed
  if (known?.question?.kind === 'output' && isAnswered(known) && !writing.view.replays) return []
  const content = event.type === 'tool.returned' ? toWords(event.output, event.text) : event.failure.message
  const result = { messageId: resultId(callId), toolCallId: callId, content, role: 'tool' } as const
  return [...closed, ...cutOff(entry, callId, call, writing), { type: 'TOOL_CALL_RESULT', ...result }]
}

/** Of a call that has not come to its end. In use-ai the page would run its own tool at that, whatever comes after it. */
function cutOff(entry: LogEntry, callId: string, call: ToldCall, writing: Writing): AgUiWord[] {
  if (call.stage === 'ended') return []
  if (writing.profile === 'use-ai' && clientTool(call, writing.run.request.tools)) return []
  const isBare =
    deltasBefore(entry, writing.memory) === call.deltas && !writing.memory.soFar.calls.has(callId)
  return [...(isBare ? [whole(callId, {})] : []), ...end(callId, call)]
}
