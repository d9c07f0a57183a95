import type { Json, RunEvent } from '../events/index.ts'
import type { Act } from './logs.fixture.ts'
import { CONFIRMED } from './stories.fixture.ts'

/** `output`: it asks for one rather than for a yes, or after it. `approved`: what the answer was. */
type Call = {
  readonly tool: string
  readonly output: boolean
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
export function begin(scribe: Scribe, { toolName: tool, pick }: Act): void {
  beginStep(scribe)
  endSpoken(scribe)
  const callId = newId(scribe)
  scribe.calls.set(callId, { tool, state: 'input', output: isOutput(tool, pick) })
  scribe.events.push({ type: 'tool.started', callId, tool })
}

/** A call is complete: one of those begun, or one whose input was not streamed. */
export function call(scribe: Scribe, act: Act): string {
  beginStep(scribe)
  endSpoken(scribe)
  const callId = (act.pick > 1 && at(scribe, 'input', act)) || newId(scribe)
  const tool = scribe.calls.get(callId)?.tool ?? act.toolName
  scribe.calls.set(callId, { tool, state: 'called', output: isOutput(tool, act.pick) })
  scribe.events.push({ type: 'tool.called', callId, tool, input: act.json, provider: { id: 'SECRET' } })
  return callId
}

/** What a client must be allowed to run, it runs once it is asked for its output. */
function isOutput(tool: string, pick: number): boolean {
  return pick > 4 && tool !== CONFIRMED
}

/** A call of the server's is begun; a client's is asked for. */
export function execute(scribe: Scribe, callId: string): string | undefined {
  if (scribe.calls.get(callId)?.tool === CONFIRMED) return void ask(scribe, callId)
  move(scribe, callId, { state: 'executing' })
  scribe.events.push({ type: 'tool.executing', callId })
  return callId
}

export function give(scribe: Scribe, callId: string, { json: output, words: text }: Act): void {
  scribe.calls.delete(callId)
  scribe.events.push({ type: 'tool.returned', callId, output, text })
}

export function fail(scribe: Scribe, callId: string, message: string): void {
  scribe.calls.delete(callId)
  const failure = { code: 'tool-failed', message, retryable: false }
  scribe.events.push({ type: 'tool.failed', callId, failure })
}

export function ask(scribe: Scribe, callId: string): string {
  const { output = false } = scribe.calls.get(callId) ?? {}
  move(scribe, callId, { state: 'asked' })
  scribe.events.push({ type: 'tool.asked', callId, question: { kind: output ? 'output' : 'approval' } })
  return callId
}

/** A question is answered: by an output of the client's or how that failed, or by a yes or no. */
export function answer(scribe: Scribe, callId: string, { json, words, pick, yes: approved }: Act): string {
  const { output = false } = scribe.calls.get(callId) ?? {}
  move(scribe, callId, { state: 'answered', approved })
  const given = approved
    ? ({ kind: 'output', output: json } as const)
    : ({ kind: 'error', message: words } as const)
  const verdict = { kind: 'approval', approved, ...(pick > 3 && { reason: words }) } as const
  scribe.events.push({ type: 'tool.answered', callId, answer: output ? given : verdict, by: 'SECRET' })
  return callId
}

/** The client's output is the call's own; upon a yes the tool runs, or the client is told to run it. */
export function goOn(scribe: Scribe, callId: string, act: Act): void {
  const { tool, output = false, approved = false } = scribe.calls.get(callId) ?? {}
  if (!approved) return fail(scribe, callId, act.words)
  if (output) return give(scribe, callId, act)
  if (tool === CONFIRMED) move(scribe, callId, { output: true })
  execute(scribe, callId)
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
