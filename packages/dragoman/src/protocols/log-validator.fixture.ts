import {
  fitsQuestion,
  isTerminal,
  type PartEvent,
  type Question,
  type RunEvent,
  type ToolEvent,
} from '../events/index.ts'

/** `left`: it ran when its process died. */
type Call = {
  readonly tool: string
  readonly by: 'provider' | undefined
  state: 'input' | 'called' | 'asked' | 'answered' | 'executing' | 'left'
  /** The kind of the last question, and whether it was approved or answered. */
  asked?: Question['kind']
  isAllowed?: boolean
}
type State = {
  begun: boolean
  ended: boolean
  waiting: boolean
  stopRequested: boolean
  step: boolean
  spoken: { readonly partId: string; readonly kind: string } | undefined
  crashes: number
  readonly calls: Map<string, Call>
  readonly ids: Set<string>
}

/**
 * What is wrong with a log's events, by what docs/reference/log.md says of entries: undefined where nothing is.
 * Only a `complete` one must end.
 */
export function findLogError(
  events: readonly RunEvent[],
  { complete }: { complete: boolean },
): string | undefined {
  const state: State = {
    begun: false,
    ended: false,
    waiting: false,
    stopRequested: false,
    step: false,
    spoken: undefined,
    crashes: 0,
    calls: new Map(),
    ids: new Set(),
  }
  for (const [index, event] of events.entries()) {
    const mistake = placeMistake(state, event) ?? mistakeOf(state, event)
    if (mistake !== undefined) return `entry ${index + 1}, ${event.type}: ${mistake}`
  }
  return complete && !state.ended ? 'the log has no terminal entry' : undefined
}

/** Checks whether the event is allowed at this point at all. */
function placeMistake(state: State, event: RunEvent): string | undefined {
  if (state.ended) return 'the log is closed'
  if (state.begun === (event.type === 'run.started')) return 'run.started comes first, and once'
  const whileWaiting = ['tool.answered', 'tool.failed', 'run.stop-requested', 'run.resumed', 'run.cancelled']
  const isAllowed = whileWaiting.includes(event.type) || isSetByUser(event)
  return state.waiting && !isAllowed ? 'the run waits' : undefined
}

function isSetByUser(event: RunEvent): boolean {
  return event.type === 'state.changed' && event.by !== undefined
}

function mistakeOf(state: State, event: RunEvent): string | undefined {
  switch (event.type) {
    case 'run.started':
      state.begun = true
      return undefined
    case 'run.stop-requested':
      state.stopRequested = true
      return undefined
    case 'data':
    case 'state.changed':
    case 'user.joined':
      return undefined
    case 'file':
      if (event.callId !== undefined)
        return state.calls.has(event.callId) ? undefined : 'the call is not open'
      return state.step ? undefined : 'no step is open'
    case 'source':
    case 'custom':
      return state.step ? undefined : 'no step is open'
    case 'run.waiting':
    case 'run.resumed':
      return pauseMistake(state, event)
    case 'step.started':
    case 'step.finished':
      return stepMistake(state, event)
    case 'text.started':
    case 'text.delta':
    case 'text.ended':
    case 'reasoning.started':
    case 'reasoning.delta':
    case 'reasoning.ended':
      return spokenMistake(state, event)
    case 'tool.started':
    case 'tool.called':
      return callMistake(state, event)
    case 'tool.delta':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
    case 'tool.failed':
      return settlingMistake(state, event)
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled':
      return endMistake(state, event)
  }
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

function pauseMistake(state: State, event: Of<'run.waiting' | 'run.resumed'>): string | undefined {
  if (event.type === 'run.waiting') {
    if (state.step) return 'a step is open'
    const open = [...state.calls].filter(([, { state: is }]) => is !== 'answered')
    if (open.length === 0 || open.some(([, { state: is }]) => is !== 'asked')) return 'not all wait'
    if (open.map(([id]) => id).join() !== event.calls.join()) return 'other calls wait'
    state.waiting = true
    return undefined
  }
  if (event.because === 'answer') {
    if (!state.waiting) return 'it does not wait'
  } else {
    if (state.waiting) return 'who waits cannot crash'
    // A released run has not crashed.
    if (event.attempt === state.crashes + 1) state.crashes += 1
    for (const call of state.calls.values()) if (call.state === 'executing') call.state = 'left'
  }
  if (event.attempt !== state.crashes) return 'attempts count crashes'
  state.waiting = false
  return undefined
}

function stepMistake(state: State, event: Of<'step.started' | 'step.finished'>): string | undefined {
  const opens = event.type === 'step.started'
  if (state.step === opens) return opens ? 'a step is open' : 'no step is open'
  state.step = opens
  if (opens) return undefined
  if (state.spoken) return 'a part is open'
  const open = [...state.calls.values()].filter(({ state: is }) => is !== 'asked' && is !== 'answered')
  if (open.some(({ state: is }) => is === 'input')) return 'an input is open'
  return open.length > 0 && event.reason !== 'interrupted' ? 'a call is open' : undefined
}

function spokenMistake(state: State, event: PartEvent): string | undefined {
  const [kind = '', what] = event.type.split('.')
  if (what !== 'started') {
    if (state.spoken?.partId !== event.partId || state.spoken.kind !== kind) return 'it is not open'
    if (what === 'ended') state.spoken = undefined
    return undefined
  }
  if (!state.step || state.spoken) return state.step ? 'another part is open' : 'no step is open'
  state.spoken = { partId: event.partId, kind }
  return typeOf(state, event.partId)
}

function callMistake(state: State, event: Of<'tool.started' | 'tool.called'>): string | undefined {
  if (!state.step || state.spoken) return state.step ? 'a part is open' : 'no step is open'
  const call = state.calls.get(event.callId)
  if (call && (event.type === 'tool.started' || call.state !== 'input')) return 'it was called before'
  if (call && call.tool !== event.tool) return 'it is a call of another tool'
  state.calls.set(event.callId, {
    tool: event.tool,
    by: event.by,
    state: event.type === 'tool.started' ? 'input' : 'called',
  })
  return call ? undefined : typeOf(state, event.callId)
}

type Settling = Exclude<ToolEvent, { type: 'tool.started' | 'tool.called' }>

/** The states of a call in which each event is allowed. */
const AFTER: Readonly<Record<Settling['type'], readonly Call['state'][]>> = {
  'tool.delta': ['input'],
  // A client tool that needs an approval is then asked for its output. A tool at work asks forms.
  'tool.asked': ['called', 'answered', 'executing'],
  'tool.answered': ['asked'],
  'tool.executing': ['called', 'answered', 'left'],
  'tool.progressed': ['executing', 'left'],
  'tool.returned': ['executing', 'answered', 'left'],
  'tool.failed': ['input', 'called', 'asked', 'answered', 'executing', 'left'],
}

function settlingMistake(state: State, event: Settling): string | undefined {
  const call = state.calls.get(event.callId)
  if (!call) return 'there is no such call'
  if (call.by && event.type !== 'tool.delta') return providerMistake(state, call, event)
  if (!AFTER[event.type].includes(call.state)) return `the call is at ${call.state}`
  if (event.type === 'tool.asked') return askingMistake(call, event)
  if (event.type === 'tool.answered') return answerMistake(call, event)
  if (event.type === 'tool.executing') call.state = 'executing'
  if (event.type === 'tool.returned' || event.type === 'tool.failed') state.calls.delete(event.callId)
  return undefined
}

/** Only the provider runs such a call, and reports its outcome. */
function providerMistake({ calls }: State, call: Call, { type, callId }: Settling): string | undefined {
  if (type !== 'tool.failed' && (type !== 'tool.returned' || call.state !== 'called'))
    return 'the provider runs the call'
  calls.delete(callId)
  return undefined
}

/** A second question is allowed for the output of an approved client tool, and for a form of a tool at work. */
function askingMistake(call: Call, { question }: Of<'tool.asked'>): string | undefined {
  if ((call.state === 'executing') !== (question.kind === 'form')) return 'only a tool at work asks a form'
  const isAgain = call.state === 'answered'
  const isAllowed = call.asked === 'approval' && call.isAllowed === true && question.kind === 'output'
  if (isAgain && !isAllowed) return 'it was asked before'
  call.state = 'asked'
  call.asked = question.kind
  return undefined
}

function answerMistake(call: Call, { answer }: Of<'tool.answered'>): string | undefined {
  if (!fitsQuestion(call.asked, answer)) return 'something else was asked'
  call.state = 'answered'
  call.isAllowed = answer.kind === 'approval' && answer.approved
  return undefined
}

function endMistake(state: State, event: RunEvent): string | undefined {
  if (state.step || state.spoken || state.calls.size > 0) return 'something is open'
  if (state.stopRequested !== (event.type === 'run.cancelled'))
    return 'a run is cancelled where a stop was asked for'
  state.ended = isTerminal(event)
  return undefined
}

function typeOf({ ids }: State, id: string): string | undefined {
  if (ids.has(id)) return 'the id was used before'
  ids.add(id)
  return undefined
}
