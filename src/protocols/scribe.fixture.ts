import type { Json, RunEvent } from '../events/index.ts'
import type { Act, End } from './logs.fixture.ts'

type Call = { tool: string; state: 'input' | 'called' | 'asked' | 'answered' | 'executing'; output: boolean }
type Scribe = {
  readonly events: RunEvent[]
  readonly calls: Map<string, Call>
  count: number
  crashes: number
  step: boolean
  spoken: { readonly kind: 'text' | 'reasoning'; readonly partId: string } | undefined
}

/** What a run writes after its `run.started`: each act, and before it what it needs, or what ends what stands in its way. */
export function eventsOf(acts: readonly Act[], end: End): RunEvent[] {
  const scribe: Scribe = {
    events: [],
    calls: new Map(),
    count: 0,
    crashes: 0,
    step: false,
    spoken: undefined,
  }
  const stop: readonly RunEvent[] =
    end.how === 'run.cancelled' ? [{ type: 'run.stop-requested', by: 'SECRET' }] : []
  for (const [index, act] of acts.entries()) {
    if (index === end.stopAfter) scribe.events.push(...stop)
    perform(scribe, act)
  }
  scribe.events.push(...stop)
  for (const callId of scribe.calls.keys()) fail(scribe, callId, end.words)
  if (scribe.step) finishStep(scribe, end)
  scribe.events.push(terminalOf(end))
  return scribe.events
}

function terminalOf({ how, words: message, reason, usage }: End): RunEvent {
  if (how === 'run.finished') return { type: how, reason, usage }
  if (how === 'run.cancelled') return { type: how, by: 'SECRET', usage }
  return { type: how, failure: { code: 'model-failed', message, retryable: true }, usage }
}

function perform(scribe: Scribe, act: Act): void {
  switch (act.what) {
    case 'say':
    case 'think':
      return speak(scribe, act.what === 'say' ? 'text' : 'reasoning', act)
    case 'hush':
      return endSpoken(scribe, { metadata: 'SECRET' })
    case 'begin':
      return begin(scribe, act)
    case 'type':
      return stream(scribe, act)
    case 'call':
      return void call(scribe, act)
    case 'run':
      return void execute(scribe, at(scribe, 'called', act) ?? call(scribe, act))
    case 'progress':
    case 'return':
    case 'fail':
      return tell(scribe, at(scribe, 'executing', act) ?? execute(scribe, call(scribe, act)), act)
    case 'ask':
      return void ask(scribe, at(scribe, 'called', act) ?? call(scribe, act))
    case 'answer':
      return goOn(
        scribe,
        answer(scribe, at(scribe, 'asked', act) ?? ask(scribe, call(scribe, act)), act),
        act,
      )
    case 'data':
      return show(scribe, act)
    case 'step':
      return scribe.step ? finishStep(scribe, act) : beginStep(scribe)
    case 'wait':
      return wait(scribe, act)
    case 'crash':
      return crash(scribe, act)
    case 'join':
      return join(scribe, act)
  }
}

function beginStep(scribe: Scribe): void {
  if (!scribe.step) scribe.events.push({ type: 'step.started', model: 'offline' })
  scribe.step = true
}

function finishStep(scribe: Scribe, { words, reason, usage }: Pick<Act, 'words' | 'reason' | 'usage'>): void {
  endSpoken(scribe)
  for (const [callId, { state }] of scribe.calls) if (state !== 'asked') fail(scribe, callId, words)
  scribe.events.push({ type: 'step.finished', reason, usage })
  scribe.step = false
}

function speak(scribe: Scribe, kind: 'text' | 'reasoning', { words: delta, pick }: Act): void {
  beginStep(scribe)
  if (scribe.spoken?.kind !== kind || pick === 0) {
    endSpoken(scribe)
    scribe.spoken = { kind, partId: newId(scribe) }
    scribe.events.push({ type: `${kind}.started`, partId: scribe.spoken.partId })
  }
  scribe.events.push({ type: `${kind}.delta`, partId: scribe.spoken.partId, delta })
}

function endSpoken(scribe: Scribe, provider?: Json): void {
  const { spoken } = scribe
  if (!spoken) return
  scribe.events.push({ type: `${spoken.kind}.ended`, partId: spoken.partId, ...(provider && { provider }) })
  scribe.spoken = undefined
}

/** A call whose input will be streamed. */
function begin(scribe: Scribe, { toolName: tool, pick }: Act): void {
  beginStep(scribe)
  endSpoken(scribe)
  const callId = newId(scribe)
  scribe.calls.set(callId, { tool, state: 'input', output: pick > 4 })
  scribe.events.push({ type: 'tool.started', callId, tool })
}

function stream(scribe: Scribe, act: Act): void {
  if (!at(scribe, 'input', act)) begin(scribe, act)
  scribe.events.push({ type: 'tool.delta', callId: at(scribe, 'input', act) ?? '', delta: act.words })
}

/** A call is complete: one of those begun, or one whose input was not streamed. */
function call(scribe: Scribe, act: Act): string {
  beginStep(scribe)
  endSpoken(scribe)
  const callId = (act.pick > 1 && at(scribe, 'input', act)) || newId(scribe)
  const tool = scribe.calls.get(callId)?.tool ?? act.toolName
  scribe.calls.set(callId, { tool, state: 'called', output: act.pick > 4 })
  scribe.events.push({ type: 'tool.called', callId, tool, input: act.json, provider: { id: 'SECRET' } })
  return callId
}

function execute(scribe: Scribe, callId: string): string {
  move(scribe, callId, 'executing')
  scribe.events.push({ type: 'tool.executing', callId })
  return callId
}

function tell(scribe: Scribe, callId: string, act: Act): void {
  if (act.what === 'return') return give(scribe, callId, act)
  if (act.what === 'fail') return fail(scribe, callId, act.words)
  const told = act.yes ? { delta: act.words } : { output: act.json }
  scribe.events.push({ type: 'tool.progressed', callId, ...told })
}

function give(scribe: Scribe, callId: string, { json: output, words: text }: Act): void {
  scribe.calls.delete(callId)
  scribe.events.push({ type: 'tool.returned', callId, output, text })
}

function fail(scribe: Scribe, callId: string, message: string): void {
  scribe.calls.delete(callId)
  const failure = { code: 'tool-failed', message, retryable: false }
  scribe.events.push({ type: 'tool.failed', callId, failure })
}

function ask(scribe: Scribe, callId: string): string {
  const { output = false } = scribe.calls.get(callId) ?? {}
  move(scribe, callId, 'asked')
  scribe.events.push({ type: 'tool.asked', callId, question: { kind: output ? 'output' : 'approval' } })
  return callId
}

/** A question is answered: by an output of the client's, or a yes or no. */
function answer(scribe: Scribe, callId: string, { json, yes: approved }: Act): string {
  const { output = false } = scribe.calls.get(callId) ?? {}
  move(scribe, callId, 'answered')
  const said = output
    ? ({ kind: 'output', output: json } as const)
    : ({ kind: 'approval', approved } as const)
  scribe.events.push({ type: 'tool.answered', callId, answer: said, by: 'SECRET' })
  return callId
}

/** The client's output is the call's own; upon a yes the tool runs. */
function goOn(scribe: Scribe, callId: string, act: Act): void {
  if (scribe.calls.get(callId)?.output) give(scribe, callId, act)
  else if (act.yes) execute(scribe, callId)
  else fail(scribe, callId, act.words)
}

/** The run is parked until its questions are answered; all else is settled before. */
function wait(scribe: Scribe, act: Act): void {
  if (!at(scribe, 'asked', act)) ask(scribe, call(scribe, act))
  if (scribe.step) finishStep(scribe, act)
  const asked = callsAt(scribe, 'asked')
  for (const callId of scribe.calls.keys()) if (!asked.includes(callId)) fail(scribe, callId, act.words)
  scribe.events.push({ type: 'run.waiting', calls: asked })
  for (const callId of asked) answer(scribe, callId, act)
  scribe.events.push({ type: 'run.resumed', because: 'answer', attempt: scribe.crashes })
  for (const callId of asked) goOn(scribe, callId, act)
}

/** The next attempt ends what was open. Of the calls that ran, some are run again; those that wait go on waiting. */
function crash(scribe: Scribe, act: Act): void {
  scribe.crashes += 1
  scribe.events.push({ type: 'run.resumed', because: 'crash', attempt: scribe.crashes })
  endSpoken(scribe)
  for (const callId of callsAt(scribe, 'input')) fail(scribe, callId, act.words)
  if (scribe.step) scribe.events.push({ type: 'step.finished', reason: 'interrupted', usage: act.usage })
  scribe.step = false
  for (const callId of callsAt(scribe, 'executing')) {
    if (act.yes) fail(scribe, callId, act.words)
    else give(scribe, callId, act)
  }
}

/** What somebody says meanwhile is heard between two steps. */
function join(scribe: Scribe, { words: text }: Act): void {
  if (scribe.step) return
  scribe.events.push({ type: 'user.joined', messageId: newId(scribe), input: [{ type: 'text', text }] })
}

function show({ events }: Scribe, { yes, pick, json: value }: Act): void {
  const named = yes ? { id: `d${pick % 3}` } : {}
  const passing = pick > 5 ? { transient: true } : {}
  events.push({ type: 'data', name: `card${pick % 2}`, value, ...named, ...passing })
}

function move({ calls }: Scribe, callId: string, state: Call['state']): void {
  const known = calls.get(callId)
  if (known) known.state = state
}

function callsAt({ calls }: Scribe, state: Call['state']): string[] {
  return [...calls].flatMap(([id, known]) => (known.state === state ? [id] : []))
}

/** One of the calls that have come so far. */
function at(scribe: Scribe, state: Call['state'], { pick }: Act): string | undefined {
  const found = callsAt(scribe, state)
  return found[pick % Math.max(found.length, 1)]
}

function newId(scribe: Scribe): string {
  scribe.count += 1
  return `run_story.${scribe.count}`
}
