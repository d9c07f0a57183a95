import {
  addUsage,
  editedInput,
  noUsage,
  waitingCalls,
  type Answer,
  type Json,
  type Question,
  type RunEvent,
  type Usage,
} from '../events/index.ts'

/** A call that has no outcome yet. */
export type OpenCall = {
  readonly tool: string
  readonly input: Json
  readonly question?: Question
  readonly answer?: Answer
}

/** What an encoder must know of the entries before its cursor: structure, and what no later entry repeats. */
export type RunProgress = {
  readonly calls: ReadonlyMap<string, OpenCall>
  /** The tools of calls whose input is still being streamed, by call id. */
  readonly streamingCalls: ReadonlyMap<string, string>
  /** Whether the run waits, and the calls that it still waits for. */
  readonly isWaiting: boolean
  readonly waiting: readonly string[]
  /** Of the steps that are finished. */
  readonly usage: Usage
  /** Whether the last step has called a tool. */
  readonly hasCalls: boolean
}

export const initialProgress: RunProgress = {
  calls: new Map(),
  streamingCalls: new Map(),
  isWaiting: false,
  waiting: [],
  usage: noUsage,
  hasCalls: false,
}

/** One event later. Deltas change nothing. */
export function advanceProgress(before: RunProgress, event: RunEvent): RunProgress {
  switch (event.type) {
    case 'step.started':
      return { ...before, hasCalls: false }
    case 'step.finished':
      return { ...before, usage: addUsage(before.usage, event.usage) }
    case 'tool.started':
      return {
        ...before,
        hasCalls: true,
        streamingCalls: new Map(before.streamingCalls).set(event.callId, event.tool),
      }
    case 'tool.called':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.returned':
    case 'tool.failed':
      return afterCall(before, event)
    case 'run.waiting':
      return { ...before, isWaiting: true, waiting: event.calls }
    case 'run.resumed':
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled':
      return { ...before, isWaiting: false, waiting: [] }
    case 'run.started':
    case 'run.stop-requested':
    case 'user.joined':
    case 'text.started':
    case 'text.delta':
    case 'text.ended':
    case 'reasoning.started':
    case 'reasoning.delta':
    case 'reasoning.ended':
    case 'tool.delta':
    case 'tool.executing':
    case 'tool.progressed':
    case 'data':
    case 'source':
    case 'file':
    case 'custom':
    case 'state.changed':
      return before
  }
}

type CallEvent = Extract<
  RunEvent,
  { type: 'tool.called' | 'tool.asked' | 'tool.answered' | 'tool.returned' | 'tool.failed' }
>

function afterCall(before: RunProgress, event: CallEvent): RunProgress {
  const waiting = waitingCalls(before.waiting, event)
  const calls = new Map(before.calls)
  const streamingCalls = completeInput(before.streamingCalls, event.callId)
  const call = calls.get(event.callId)
  if (event.type === 'tool.called') {
    const { callId, tool, input } = event
    return { ...before, calls: calls.set(callId, { tool, input }), streamingCalls, hasCalls: true }
  }
  if (event.type === 'tool.asked' && call) calls.set(event.callId, withQuestion(call, event.question))
  if (event.type === 'tool.answered' && call) calls.set(event.callId, withAnswer(call, event.answer))
  if (event.type === 'tool.returned' || event.type === 'tool.failed') calls.delete(event.callId)
  return { ...before, calls, streamingCalls, waiting }
}

/** The input is the one with which the call runs. */
function withAnswer(call: OpenCall, answer: Answer): OpenCall {
  return { ...call, input: editedInput(answer) ?? call.input, answer }
}

/** A second question discards the answer to the first. */
export function withQuestion({ tool, input }: OpenCall, question: Question): OpenCall {
  return { tool, input, question }
}

function completeInput(
  streamingCalls: RunProgress['streamingCalls'],
  callId: string,
): RunProgress['streamingCalls'] {
  if (!streamingCalls.has(callId)) return streamingCalls
  const remaining = new Map(streamingCalls)
  remaining.delete(callId)
  return remaining
}
