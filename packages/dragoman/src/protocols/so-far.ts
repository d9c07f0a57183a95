import {
  addUsage,
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

/** What an encoder must know of the entries before one: structure, and what no later entry says again. */
export type SoFar = {
  readonly calls: ReadonlyMap<string, OpenCall>
  /** The tools of the calls whose input is not complete yet. */
  readonly typing: ReadonlyMap<string, string>
  /** Whether the run waits for somebody, and for which calls still. */
  readonly parked: boolean
  readonly waiting: readonly string[]
  /** Of the steps that are finished. */
  readonly usage: Usage
  /** Whether the last step has called a tool. */
  readonly called: boolean
}

export const nothingSoFar: SoFar = {
  calls: new Map(),
  typing: new Map(),
  parked: false,
  waiting: [],
  usage: noUsage,
  called: false,
}

/** One event later. Deltas change nothing. */
export function soFar(before: SoFar, event: RunEvent): SoFar {
  switch (event.type) {
    case 'step.started':
      return { ...before, called: false }
    case 'step.finished':
      return { ...before, usage: addUsage(before.usage, event.usage) }
    case 'tool.started':
      return { ...before, called: true, typing: new Map(before.typing).set(event.callId, event.tool) }
    case 'tool.called':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.returned':
    case 'tool.failed':
      return afterCall(before, event)
    case 'run.waiting':
      return { ...before, parked: true, waiting: event.calls }
    case 'run.resumed':
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled':
      return { ...before, parked: false, waiting: [] }
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
    case 'state.changed':
      return before
  }
}

type CallEvent = Extract<
  RunEvent,
  { type: 'tool.called' | 'tool.asked' | 'tool.answered' | 'tool.returned' | 'tool.failed' }
>

function afterCall(before: SoFar, event: CallEvent): SoFar {
  const waiting = waitingCalls(before.waiting, event)
  const calls = new Map(before.calls)
  const typing = typingAfter(before.typing, event.callId)
  const call = calls.get(event.callId)
  if (event.type === 'tool.called') {
    const { callId, tool, input } = event
    return { ...before, calls: calls.set(callId, { tool, input }), typing, called: true }
  }
  if (event.type === 'tool.asked' && call) calls.set(event.callId, askedOf(call, event.question))
  if (event.type === 'tool.answered' && call) calls.set(event.callId, { ...call, answer: event.answer })
  if (event.type === 'tool.returned' || event.type === 'tool.failed') calls.delete(event.callId)
  return { ...before, calls, typing, waiting }
}

/** Asked again, it waits for another answer than it had. */
export function askedOf({ tool, input }: OpenCall, question: Question): OpenCall {
  return { tool, input, question }
}

function typingAfter(typing: SoFar['typing'], callId: string): SoFar['typing'] {
  if (!typing.has(callId)) return typing
  const left = new Map(typing)
  left.delete(callId)
  return left
}
