import {
  isJsonObject,
  type DataEvent,
  type FinishReason,
  type Json,
  type Run,
  type RunEvent,
  type TerminalEvent,
  type ToolEvent,
  type Usage,
} from '../../events/index.ts'
import type { Encoder } from '../protocol.ts'
import { thinkingView } from '../thinking.ts'
import { toOutput, toProgress } from '../tool-output.ts'
import type { Args, Datum, Finish, Line } from './wire.ts'

/** Remembers whether a step has been begun and not finished. */
type Memory = { step: boolean }

/** Writes a run's log as the AI SDK's data stream. */
export function encoder({ run, view }: { run: Run; view: Json }): Encoder {
  const { showThinking } = thinkingView(view)
  const memory: Memory = { step: false }
  return ({ event }) => {
    if (!showThinking && event.type.startsWith('reasoning.')) return []
    return toLines(event, run, memory).map(([code, value]) => `${code}:${JSON.stringify(value)}`)
  }
}

function toLines(event: RunEvent, run: Run, memory: Memory): readonly Line[] {
  switch (event.type) {
    case 'run.started':
      // The first step is begun at once: only its line gives the message its name.
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
      return toToolLines(event)
    case 'data':
      return [[event.transient ? '2' : '8', [toDatum(event)]]]
    case 'run.cancelled':
    case 'run.failed':
    case 'run.finished':
      return toEndLines(event, memory)
    // Text and reasoning have no beginning and no end here: a step's last line ends both.
    case 'text.started':
    case 'text.ended':
    case 'reasoning.started':
    case 'reasoning.ended':
    case 'run.waiting':
    case 'run.resumed':
    case 'run.stop-requested':
    case 'user.joined':
      return []
  }
}

function beginStep({ messageId }: Run, memory: Memory): readonly Line[] {
  if (memory.step) return []
  memory.step = true
  return [['f', { messageId }]]
}

function finishStep({ reason, usage }: { reason: FinishReason; usage: Usage }): Line {
  return ['e', { ...finish(reason, usage), isContinued: false }]
}

function toToolLines(event: ToolEvent): readonly Line[] {
  switch (event.type) {
    case 'tool.started':
      return [['b', { toolCallId: event.callId, toolName: event.tool }]]
    case 'tool.delta':
      return [['c', { toolCallId: event.callId, argsTextDelta: event.delta }]]
    case 'tool.called':
      return [['9', { toolCallId: event.callId, toolName: event.tool, args: toArgs(event.input) }]]
    case 'tool.progressed':
      return [['2', [{ type: 'data-tool-progress', data: toProgress(event) }]]]
    case 'tool.returned':
      return [['a', { toolCallId: event.callId, result: toOutput(event.output, event.text) }]]
    case 'tool.failed':
      return [['a', { toolCallId: event.callId, result: { error: event.failure.message } }]]
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
      return []
  }
}

function toEndLines(event: TerminalEvent, { step }: Memory): readonly Line[] {
  if (event.type === 'run.failed') return [['3', event.failure.message]]
  const reason = event.type === 'run.cancelled' ? 'stop' : event.reason
  return [
    ...(step ? [finishStep({ reason, usage: event.usage })] : []),
    ...(event.type === 'run.cancelled' ? [['8', [{ stopped: true }]] as const] : []),
    ['d', finish(reason, event.usage)],
  ]
}

function toDatum({ name, id, value }: DataEvent): Datum {
  return { type: `data-${name}`, ...(id !== undefined && { id }), data: value }
}

/** Input that is no object (half a JSON, say) is put into one. */
export function toArgs(input: Json): Args {
  return isJsonObject(input) ? input : { input }
}

function finish(reason: FinishReason, { inputTokens, outputTokens }: Usage): Finish {
  const usage = { promptTokens: inputTokens, completionTokens: outputTokens }
  return { finishReason: reasonOf(reason), usage }
}

function reasonOf(reason: FinishReason): Finish['finishReason'] {
  if (reason === 'interrupted') return 'other'
  return reason === 'step-limit' ? 'tool-calls' : reason
}
