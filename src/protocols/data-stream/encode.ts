import {
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
import { toJoined } from '../joined.ts'
import type { Encoder } from '../protocol.ts'
import { toQuestion } from '../question.ts'
import { nothingSoFar, soFar, type OpenCall, type SoFar } from '../so-far.ts'
import { thinkingView } from '../thinking.ts'
import { toOutput, toProgress } from '../tool-output.ts'
import type { Args, Datum, Finish, Line } from './wire.ts'

/** Also whether a step has been begun and not finished. */
type Memory = { step: boolean; before: SoFar }

/** Writes a run's log as the AI SDK's data stream. */
export function encoder({ run, view }: { run: Run; view: Json }): Encoder {
  const { showThinking } = thinkingView(view)
  const memory: Memory = { step: false, before: nothingSoFar }
  return ({ event }) => {
    if (!showThinking && event.type.startsWith('reasoning.')) return []
    const lines = toLines(event, run, memory)
    memory.before = soFar(memory.before, event)
    return [...lines, ...toPause(event, memory.before)].map(
      ([code, value]) => `${code}:${JSON.stringify(value)}`,
    )
  }
}

function toPause(event: RunEvent, after: SoFar): readonly Line[] {
  return pausesAfter(event, after.waiting) ? [['d', finish('tool-calls', after.usage)]] : []
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
      return toToolLines(event, memory.before.calls.get(event.callId))
    case 'data':
      return [[event.transient ? '2' : '8', [toDatum(event)]]]
    case 'user.joined':
      return [['8', [toJoined(event)]]]
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
    case 'state.changed':
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

function toToolLines(event: ToolEvent, call: OpenCall | undefined): readonly Line[] {
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
      return [
        ...(call?.question && !call.answer ? question(event.callId, call, 'closed') : []),
        ['a', { toolCallId: event.callId, result: { error: event.failure.message } }],
      ]
    case 'tool.asked':
      return question(event.callId, call && { ...call, question: event.question }, 'open')
    case 'tool.answered':
      return question(event.callId, call && { ...call, answer: event.answer }, 'answered')
    case 'tool.executing':
      return []
  }
}

/** Told anew each time: the last of an id counts. */
function question(
  callId: string,
  call: OpenCall | undefined,
  state: 'open' | 'answered' | 'closed',
): readonly Line[] {
  if (!call?.question) return []
  const data = toQuestion({ ...call, callId, question: call.question, state })
  return [['8', [{ type: 'data-question', id: callId, data }]]]
}

function toEndLines(event: TerminalEvent, run: Run, { step, before }: Memory): readonly Line[] {
  const settled = before.called ? emptyStep(run) : []
  if (event.type === 'run.failed') return [...settled, ['3', event.failure.message]]
  const reason = event.type === 'run.cancelled' ? 'stop' : event.reason
  return [
    ...(step ? [finishStep({ reason, usage: event.usage })] : []),
    ...settled,
    ...(event.type === 'run.cancelled' ? [['8', [{ stopped: true }]] as const] : []),
    ['d', finish(reason, event.usage)],
  ]
}

/**
 * A client with `maxSteps` takes a run that ends in a step whose calls all have results for one that waits for it: an empty step tells it
 * that nothing is left to do.
 */
function emptyStep({ messageId }: Run): readonly Line[] {
  return [
    ['f', { messageId }],
    ['e', { ...finish('stop', noUsage), isContinued: false }],
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
