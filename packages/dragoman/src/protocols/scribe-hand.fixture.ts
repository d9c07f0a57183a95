import type { ClientTool, Json, RunEvent } from '../events/index.ts'
import type { Act } from './logs.fixture.ts'
import { pageTools } from './page-stories.fixture.ts'

/** `asks`: what for, last. `approved`: what the answer was. */
type Call = {
  readonly tool: string
  readonly asks?: 'approval' | 'output'
  state: 'input' | 'called' | 'asked' | 'answered' | 'executing'
  approved?: boolean
}

/** What has been written, and what it holds open. */
export type Scribe = {
  readonly events: RunEvent[]
  readonly calls: Map<string, Call>
  count: number
  crashes: number
  step: boolean
  parked: boolean
  /** Whether there is a state that may be changed. */
  shares: boolean
  spoken: { readonly kind: 'text' | 'reasoning'; readonly partId: string } | undefined
}

export function newScribe(): Scribe {
  return {
    events: [],
    calls: new Map(),
    count: 0,
    crashes: 0,
    step: false,
    parked: false,
    shares: false,
    spoken: undefined,
  }
}

export function beginStep(scribe: Scribe): void {
  if (!scribe.step) scribe.events.push({ type: 'step.started', model: 'offline' })
  scribe.step = true
}

export function finishStep(
  scribe: Scribe,
  { words, reason, usage }: Pick<Act, 'words' | 'reason' | 'usage'>,
): void {
  endSpoken(scribe)
  for (const [callId, { state }] of scribe.calls) if (state !== 'asked') fail(scribe, callId, words)
  scribe.events.push({ type: 'step.finished', reason, usage })
  scribe.step = false
}

export function endSpoken(scribe: Scribe, provider?: Json): void {
  const { spoken } = scribe
  if (!spoken) return
  scribe.events.push({ type: `${spoken.kind}.ended`, partId: spoken.partId, ...(provider && { provider }) })
  scribe.spoken = undefined
}

/** A call whose input will be streamed. */
export function begin(scribe: Scribe, act: Act): void {
  beginStep(scribe)
  endSpoken(scribe)
  const callId = newId(scribe)
  const tool = toolOf(act)
  scribe.calls.set(callId, { tool, state: 'input' })
  scribe.events.push({ type: 'tool.started', callId, tool })
}

/** A call is complete: one of those begun, or one whose input was not streamed. */
export function call(scribe: Scribe, act: Act): string {
  beginStep(scribe)
  endSpoken(scribe)
  const begun = act.pick > 1 ? at(scribe, 'input', act) : undefined
  const callId = begun ?? newId(scribe)
  const tool = scribe.calls.get(callId)?.tool ?? toolOf(act)
  if (
    begun !== undefined &&
    !scribe.events.some((each) => each.type === 'tool.delta' && each.callId === begun)
  )
    scribe.events.push({ type: 'tool.delta', callId, delta: JSON.stringify(act.json) })
  scribe.calls.set(callId, { tool, state: 'called' })
  scribe.events.push({ type: 'tool.called', callId, tool, input: act.json, provider: { id: 'SECRET' } })
  return callId
}

/** One that the server itself can run. */
export function ownCall(scribe: Scribe, act: Act): string {
  const waiting = callsAt(scribe, 'called').find((callId) => !pageTool(scribe, callId))
  return waiting ?? call(scribe, { ...act, pick: 0 })
}

function toolOf({ pick, toolName }: Act): string {
  return (pick > 4 && pageTools[pick === 7 ? 1 : 0]?.name) || toolName
}

function pageTool({ calls }: Scribe, callId: string): ClientTool | undefined {
  return pageTools.find(({ name }) => name === calls.get(callId)?.tool)
}

export function execute(scribe: Scribe, callId: string): string {
  move(scribe, callId, { state: 'executing' })
  scribe.events.push({ type: 'tool.executing', callId })
  return callId
}

/** The output of a client's tool is its answer, and the model reads it as the client gave it. */
export function give(scribe: Scribe, callId: string, { json, words }: Act): void {
  scribe.calls.delete(callId)
  const answered = scribe.events.findLast((each) => each.type === 'tool.answered' && each.callId === callId)
  const given =
    answered?.type === 'tool.answered' && answered.answer.kind === 'output' ? answered.answer : undefined
  const output = given ? given.output : json
  const text = given ? (typeof output === 'string' ? output : JSON.stringify(output)) : words
  scribe.events.push({ type: 'tool.returned', callId, output, text })
}

export function fail(scribe: Scribe, callId: string, message: string): void {
  scribe.calls.delete(callId)
  const failure = { code: 'tool-failed', message, retryable: false }
  scribe.events.push({ type: 'tool.failed', callId, failure })
}

/** For a yes, or for the output of what the page itself can do: for both, where that needs a yes. */
export function ask(scribe: Scribe, callId: string): string {
  const tool = pageTool(scribe, callId)
  const kind = tool && (!tool.confirm || scribe.calls.get(callId)?.asks) ? 'output' : 'approval'
  move(scribe, callId, { state: 'asked', asks: kind })
  scribe.events.push({ type: 'tool.asked', callId, question: { kind } })
  return callId
}

/** A question is answered: by an output of the client's or how that failed, or by a yes or no. */
export function answer(scribe: Scribe, callId: string, { json, words, pick, yes: approved }: Act): string {
  const { asks } = scribe.calls.get(callId) ?? {}
  move(scribe, callId, { state: 'answered', approved })
  const given = approved
    ? ({ kind: 'output', output: json } as const)
    : ({ kind: 'error', message: words } as const)
  const verdict = { kind: 'approval', approved, ...(pick > 3 && { reason: words }) } as const
  const key = pick > 5 ? { key: `run:dice/conv_story:client-${scribe.events.length}` } : {}
  const said = asks === 'output' ? given : verdict
  scribe.events.push({ type: 'tool.answered', callId, answer: said, by: 'SECRET', ...key })
  return callId
}

/** The client's output is the call's own; upon a yes the tool runs, or the client is asked to run it. */
export function goOn(scribe: Scribe, callId: string, act: Act): void {
  const { asks, approved = false } = scribe.calls.get(callId) ?? {}
  if (!approved) fail(scribe, callId, act.words)
  else if (asks === 'output') give(scribe, callId, act)
  else if (pageTool(scribe, callId)) ask(scribe, callId)
  else execute(scribe, callId)
}

function move({ calls }: Scribe, callId: string, change: Partial<Call>): void {
  const known = calls.get(callId)
  if (known) calls.set(callId, { ...known, ...change })
}

export function callsAt({ calls }: Scribe, state: Call['state']): string[] {
  return [...calls].flatMap(([id, known]) => (known.state === state ? [id] : []))
}

/** One of the calls that have come so far. */
export function at(scribe: Scribe, state: Call['state'], { pick }: Act): string | undefined {
  const found = callsAt(scribe, state)
  return found[pick % Math.max(found.length, 1)]
}

export function newId(scribe: Scribe): string {
  scribe.count += 1
  return `run_story.${scribe.count}`
}
