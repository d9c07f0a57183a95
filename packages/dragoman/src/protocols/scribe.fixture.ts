import type { RunEvent } from '../events/index.ts'
import type { Act, End } from './logs.fixture.ts'
import {
  answer,
  ask,
  at,
  begin,
  beginStep,
  call,
  callsAt,
  endSpoken,
  execute,
  fail,
  finishStep,
  give,
  goOn,
  newId,
  newScribe,
  ownCall,
  type Scribe,
} from './scribe-hand.fixture.ts'

/** What a run writes after its `run.started`: each act, and before it what it needs, or what ends what stands in its way. */
export function eventsOf(acts: readonly Act[], end: End): RunEvent[] {
  const scribe = newScribe()
  const stop: readonly RunEvent[] =
    end.how === 'run.cancelled' ? [{ type: 'run.stop-requested', by: 'SECRET' }] : []
  for (const [index, act] of acts.entries()) {
    if (index === end.stopAfter) scribe.events.push(...stop)
    perform(scribe, act)
  }
  const last = acts.at(-1)
  // Only a stop ends a run that waits.
  if (last && scribe.parked && stop.length === 0) unpark(scribe, last)
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
  if (scribe.parked) {
    if (act.what === 'answer') return answerParked(scribe, act)
    if (act.what === 'share') return share(scribe, act, { by: 'SECRET' })
    unpark(scribe, act)
  }
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
      return void execute(scribe, ownCall(scribe, act))
    case 'progress':
    case 'return':
    case 'fail':
      return tell(scribe, at(scribe, 'executing', act) ?? execute(scribe, ownCall(scribe, act)), act)
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
    case 'share':
      return share(scribe, act)
    case 'step':
      return scribe.step ? finishStep(scribe, act) : beginStep(scribe)
    case 'wait':
      return park(scribe, act)
    case 'crash':
      return crash(scribe, act)
    case 'join':
      return join(scribe, act)
  }
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

function stream(scribe: Scribe, act: Act): void {
  if (!at(scribe, 'input', act)) begin(scribe, act)
  scribe.events.push({ type: 'tool.delta', callId: at(scribe, 'input', act) ?? '', delta: act.words })
}

function tell(scribe: Scribe, callId: string | undefined, act: Act): void {
  // What a client runs is not told of on its way.
  if (callId === undefined) return
  if (act.what === 'return') return give(scribe, callId, act)
  if (act.what === 'fail') return fail(scribe, callId, act.words)
  const told = act.yes ? { delta: act.words } : { output: act.json }
  scribe.events.push({ type: 'tool.progressed', callId, ...told })
}

/** The run waits until its questions are answered; all else is settled before. */
function park(scribe: Scribe, act: Act): void {
  if (!at(scribe, 'asked', act)) ask(scribe, call(scribe, act))
  // Several questions at once are no rarity.
  if (act.yes) ask(scribe, call(scribe, act))
  if (scribe.step) finishStep(scribe, act)
  const asked = callsAt(scribe, 'asked')
  for (const callId of scribe.calls.keys()) if (!asked.includes(callId)) fail(scribe, callId, act.words)
  scribe.events.push({ type: 'run.waiting', calls: asked })
  scribe.parked = true
}

function answerParked(scribe: Scribe, act: Act): void {
  answer(scribe, at(scribe, 'asked', act) ?? '', act)
  if (callsAt(scribe, 'asked').length === 0) unpark(scribe, act)
}

/** What nobody has answered yet is answered now, or its time is over: that is noticed by whoever goes on. */
function unpark(scribe: Scribe, act: Act): void {
  const late = act.pick > 4 ? callsAt(scribe, 'asked') : []
  for (const callId of callsAt(scribe, 'asked')) if (!late.includes(callId)) answer(scribe, callId, act)
  scribe.events.push({ type: 'run.resumed', because: 'answer', attempt: scribe.crashes })
  scribe.parked = false
  for (const callId of late) fail(scribe, callId, act.words)
  for (const callId of callsAt(scribe, 'answered')) goOn(scribe, callId, act)
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
    else {
      if (act.pick > 3) execute(scribe, callId)
      give(scribe, callId, act)
    }
  }
}

/** What somebody says meanwhile is heard wherever the run is. */
function join(scribe: Scribe, { words: text }: Act): void {
  scribe.events.push({ type: 'user.joined', messageId: newId(scribe), input: [{ type: 'text', text }] })
}

function show({ events }: Scribe, { yes, pick, json: value }: Act): void {
  const named = yes ? { id: `d${pick % 3}` } : {}
  const passing = pick > 5 ? { transient: true } : {}
  events.push({ type: 'data', name: `card${pick % 2}`, value, ...named, ...passing })
}

/** Set whole at first, then field by field. A client sets it whole. */
function share(scribe: Scribe, { words, yes, json: value }: Act, who: { by?: string } = {}): void {
  const whole = { op: 'replace', path: '', value: { words } } as const
  const field = { op: 'add', path: yes ? '/field' : '/words', value } as const
  scribe.events.push({ type: 'state.changed', patch: [scribe.shares && !who.by ? field : whole], ...who })
  scribe.shares = true
}
