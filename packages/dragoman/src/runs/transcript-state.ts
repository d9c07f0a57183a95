import {
  addUsage,
  estimateTokens,
  noUsage,
  type Failure,
  type FinishReason,
  type Json,
  type Question,
  type RunEvent,
  type Usage,
} from '../events/index.ts'

/** How far a call without outcome has come. */
export type OpenState = 'input' | 'called' | 'asked' | 'answered' | 'executing'

export type Spoken = { kind: 'text' | 'reasoning'; partId: string; engineId?: string }
export type State = {
  count: number
  step: boolean
  /** Whether a step has ever begun. */
  begun: boolean
  spoken: Spoken | undefined
  calls: Map<string, OpenState>
  /** What each call was last asked for. */
  questions: Map<string, Question['kind']>
  /** The calls of whose input something has been streamed. */
  streamed: Set<string>
  usage: Usage
  reason: FinishReason
  /** Tokens said in the open step, by estimate. */
  said: number
}

export function emptyState(): State {
  return {
    count: 0,
    step: false,
    begun: false,
    spoken: undefined,
    calls: new Map(),
    questions: new Map(),
    streamed: new Set(),
    usage: noUsage,
    reason: 'other',
    said: 0,
  }
}

/** Takes note of an event that goes into the log. */
export function note(state: State, event: RunEvent): void {
  switch (event.type) {
    case 'step.started':
      state.step = true
      state.begun = true
      state.said = 0
      return
    case 'step.finished':
      state.step = false
      state.usage = addUsage(state.usage, event.usage)
      state.reason = event.reason
      return
    case 'text.started':
    case 'reasoning.started':
      state.count += 1
      state.spoken = { kind: event.type === 'text.started' ? 'text' : 'reasoning', partId: event.partId }
      return
    case 'text.ended':
    case 'reasoning.ended':
      state.spoken = undefined
      return
    case 'text.delta':
    case 'reasoning.delta':
    case 'tool.delta':
      state.said += estimateTokens(event.delta)
      return
    case 'tool.started':
      state.count += 1
      state.calls.set(event.callId, 'input')
      return
    case 'tool.called':
      if (!state.calls.has(event.callId)) state.count += 1
      state.calls.set(event.callId, 'called')
      return
    case 'tool.asked':
      return ask(state, event)
    case 'tool.answered':
      state.calls.set(event.callId, 'answered')
      return
    case 'tool.executing':
      state.calls.set(event.callId, 'executing')
      return
    case 'tool.returned':
    case 'tool.failed':
      return settle(state, event)
    case 'run.started':
    case 'run.waiting':
    case 'run.resumed':
    case 'run.stop-requested':
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled':
    case 'user.joined':
    case 'tool.progressed':
    case 'data':
    case 'state.changed':
  }
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

function ask(state: State, { callId, question }: Of<'tool.asked'>): void {
  state.calls.set(callId, 'asked')
  state.questions.set(callId, question.kind)
}

function settle(state: State, { callId, usage }: Of<'tool.returned' | 'tool.failed'>): void {
  state.calls.delete(callId)
  state.questions.delete(callId)
  if (usage) state.usage = addUsage(state.usage, usage)
}

/** Whether an answer is one to what is asked now. */
export function isAsked(
  { calls, questions }: State,
  { callId, answer }: Pick<Of<'tool.answered'>, 'callId' | 'answer'>,
): boolean {
  const isYesOrNo = questions.get(callId) === 'approval'
  return calls.get(callId) === 'asked' && isYesOrNo === (answer.kind === 'approval')
}

/** What ends the part that is being spoken, if one is. */
export function endSpoken({ spoken }: State, provider?: Json): RunEvent[] {
  if (!spoken) return []
  return [
    { type: `${spoken.kind}.ended`, partId: spoken.partId, ...(provider !== undefined && { provider }) },
  ]
}

/** Of a step that was cut off nobody says what it cost. */
export function endStep({ step, said }: State, inputTokens: () => number): RunEvent[] {
  if (!step) return []
  const usage: Usage = { inputTokens: inputTokens(), outputTokens: said, estimated: true }
  return [{ type: 'step.finished', reason: 'interrupted', usage }]
}

export function failedCalls(
  { calls }: State,
  failureOf: (state: OpenState) => Failure,
  which: (state: OpenState) => boolean,
): RunEvent[] {
  return [...calls].flatMap(([callId, state]) =>
    which(state) ? [{ type: 'tool.failed', callId, failure: failureOf(state) } as const] : [],
  )
}
