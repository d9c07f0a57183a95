import {
  editedInput,
  isJsonObject,
  noUsage,
  pausesAfter,
  type DataEvent,
  type FinishReason,
  type Json,
  type Run,
  type RunEvent,
  type TerminalEvent,
  type ToolEvent,
  type Usage,
} from '../../events/index.ts'
import { omitPrototypeKeys } from '../omit-prototype-keys.ts'
import { toUserMessageData } from '../to-user-message-data.ts'
import type { Encoder } from '../protocol.ts'
import { toQuestionData } from '../to-question-data.ts'
import {
  withQuestion,
  initialProgress,
  advanceProgress,
  type OpenCall,
  type RunProgress,
} from '../run-progress.ts'
import { parseThinkingViewOptions } from '../thinking-view-options.ts'
import { toToolProgress } from '../tool-output.ts'
import { toFileData, toSourceLine } from './source-lines.ts'
import { isConfirmable } from '../is-confirmable.ts'
import type { Args, DataPart, Finish, Line } from './wire.ts'

/** Also whether a step is open. */
type EncoderMemory = { step: boolean; before: RunProgress }

/** Writes a run's log as the AI SDK's data stream. */
export function createEncoder({ run, view }: { run: Run; view: Json }): Encoder {
  const { showThinking } = parseThinkingViewOptions(view)
  const memory: EncoderMemory = { step: false, before: initialProgress }
  return ({ event }) => {
    if (!showThinking && event.type.startsWith('reasoning.')) return []
    const lines = toLines(event, run, memory)
    memory.before = advanceProgress(memory.before, event)
    return [...lines, ...toPause(event, memory.before)].map(
      ([code, value]) => `${code}:${JSON.stringify(value)}`,
    )
  }
}

function toPause(event: RunEvent, after: RunProgress): readonly Line[] {
  return pausesAfter(event, after.waiting) ? [['d', toFinish('tool-calls', after.usage)]] : []
}

function toLines(event: RunEvent, run: Run, memory: EncoderMemory): readonly Line[] {
  switch (event.type) {
    case 'run.started':
      // The first step starts at once, because only its line contains the message id.
      return [...beginStep(run, memory), ['8', [{ runId: run.id, conversationId: run.threadId }]]]
    case 'step.started':
      return beginStep(run, memory)
    case 'step.finished':
      memory.step = false
      return [finishStep(event)]
    case 'text.delta':
      return [['0', event.delta]]
    case 'reasoning.delta':
      return [['g', event.delta]]
    case 'tool.started':
    case 'tool.delta':
    case 'tool.called':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
    case 'tool.failed':
      return toCallLines(event, run, memory.before)
    case 'data':
      return [[event.transient ? '2' : '8', [toDataPart(event)]]]
    case 'file':
      return event.kind === 'output' ? [['8', [toFileData(event)]]] : []
    case 'source':
      return [toSourceLine(event)]
    case 'user.joined':
      return [['8', [toUserMessageData(event)]]]
    case 'run.cancelled':
    case 'run.failed':
    case 'run.finished':
      return toEndLines(event, run, memory)
    // Text and reasoning have no beginning and no end here: a step's last line ends both.
    case 'text.started':
    case 'text.ended':
    case 'reasoning.started':
    case 'reasoning.ended':
    case 'run.waiting':
    case 'run.resumed':
    case 'run.stop-requested':
    case 'custom':
    case 'state.changed':
      return []
  }
}

function beginStep({ messageId }: Run, memory: EncoderMemory): readonly Line[] {
  if (memory.step) return []
  memory.step = true
  return [['f', { messageId }]]
}

function finishStep({ reason, usage }: { reason: FinishReason; usage: Usage }): Line {
  return ['e', { ...toFinish(reason, usage), isContinued: false }]
}

/**
 * A client of AI SDK 4 runs the calls of tools that it knows. So a call that needs an approval is first sent as
 * streamed input only.
 */
function toCallLines(event: ToolEvent, run: Run, before: RunProgress): readonly Line[] {
  const { callId } = event
  const call = before.calls.get(callId)
  const lines = toToolLines(event, call)
  if (!isConfirmable(event, { run, before })) return lines
  switch (event.type) {
    case 'tool.started':
    case 'tool.delta':
      return []
    case 'tool.called':
      return toStreamedCall(callId, event.tool, event.input)
    case 'tool.asked':
      return event.question.kind === 'output' && call ? [toCallLine(callId, call), ...lines] : lines
    case 'tool.failed': {
      const tool = before.streamingCalls.get(callId)
      return tool === undefined ? lines : [...toStreamedCall(callId, tool), ...lines]
    }
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
      return lines
  }
}

/** A call whose input is still being streamed. */
function toStreamedCall(toolCallId: string, toolName: string, input?: Json): readonly Line[] {
  const start: Line = ['b', { toolCallId, toolName }]
  if (input === undefined) return [start]
  return [start, ['c', { toolCallId, argsTextDelta: JSON.stringify(toArgs(input), omitPrototypeKeys) }]]
}

function toCallLine(toolCallId: string, { tool, input }: Pick<OpenCall, 'tool' | 'input'>): Line {
  return ['9', { toolCallId, toolName: tool, args: toArgs(input) }]
}

function toToolLines(event: ToolEvent, call: OpenCall | undefined): readonly Line[] {
  const { callId } = event
  switch (event.type) {
    case 'tool.started':
      return [['b', { toolCallId: callId, toolName: event.tool }]]
    case 'tool.delta':
      return [['c', { toolCallId: callId, argsTextDelta: event.delta }]]
    case 'tool.called':
      return [toCallLine(callId, event)]
    case 'tool.progressed':
      return [['2', [{ type: 'data-tool-progress', data: toToolProgress(event) }]]]
    case 'tool.returned':
      // The client refuses a result that is missing.
      return [['a', { toolCallId: callId, result: event.output ?? null }]]
    case 'tool.failed':
      return [
        ...(call?.question && !call.answer ? toQuestionLines(callId, call, 'closed') : []),
        ['a', { toolCallId: callId, result: { error: event.failure.message } }],
      ]
    case 'tool.asked':
      return toQuestionLines(callId, call && withQuestion(call, event.question), 'open')
    case 'tool.answered': {
      const { answer } = event
      const input = editedInput(answer)
      const edited = call && { ...call, input: input ?? call.input, answer }
      return [
        ...(edited && input !== undefined ? [toCallLine(callId, edited)] : []),
        ...toQuestionLines(callId, edited, 'answered'),
      ]
    }
    case 'tool.executing':
      return []
  }
}

/** Sent again at each change: the last one with the same id counts. */
function toQuestionLines(
  callId: string,
  call: OpenCall | undefined,
  state: 'open' | 'answered' | 'closed',
): readonly Line[] {
  if (!call?.question) return []
  const data = toQuestionData({ ...call, callId, question: call.question, state })
  return [['8', [{ type: 'data-question', id: callId, data }]]]
}

function toEndLines(event: TerminalEvent, run: Run, { step, before }: EncoderMemory): readonly Line[] {
  const lastStep = before.hasCalls ? emptyStep(run) : []
  if (event.type === 'run.failed') return [...lastStep, ['3', event.failure.message]]
  const reason = event.type === 'run.cancelled' ? 'stop' : event.reason
  return [
    ...(step ? [finishStep({ reason, usage: event.usage })] : []),
    ...lastStep,
    ...(event.type === 'run.cancelled' ? [['8', [{ stopped: true }]] as const] : []),
    ['d', toFinish(reason, event.usage)],
  ]
}

/**
 * A client with `maxSteps` waits for its own tools if a run ends in a step whose calls all have results. An
 * empty step shows it that nothing is left to do.
 */
function emptyStep({ messageId }: Run): readonly Line[] {
  return [
    ['f', { messageId }],
    ['e', { ...toFinish('stop', noUsage), isContinued: false }],
  ]
}

function toDataPart({ name, id, value }: DataEvent): DataPart {
  return { type: `data-${name}`, ...(id !== undefined && { id }), data: value }
}

/** Wraps input that is not an object, such as incomplete JSON. */
export function toArgs(input: Json): Args {
  return isJsonObject(input) ? input : { input }
}

function toFinish(reason: FinishReason, { inputTokens, outputTokens }: Usage): Finish {
  const usage = { promptTokens: inputTokens, completionTokens: outputTokens }
  return { finishReason: toDataFinishReason(reason), usage }
}

function toDataFinishReason(reason: FinishReason): Finish['finishReason'] {
  if (reason === 'interrupted') return 'other'
  return reason === 'step-limit' ? 'tool-calls' : reason
}
