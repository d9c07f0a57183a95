import type { RunEvent } from '../events/index.ts'
import type { Act, End } from './arbitrary-logs.fixture.ts'
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
  continueCall,
  newId,
  createEventBuilder,
  ownCall,
  type EventBuilder,
} from './event-builder-actions.fixture.ts'

/**
 * Builds the events after `run.started`. Each action first writes the events that it requires, or ends what it
 * conflicts with.
 */
export function buildEvents(acts: readonly Act[], end: End): RunEvent[] {
  const builder = createEventBuilder()
  const stop: readonly RunEvent[] =
    end.how === 'run.cancelled' ? [{ type: 'run.stop-requested', by: 'SECRET' }] : []
  for (const [index, act] of acts.entries()) {
    if (index === end.stopAfter) builder.events.push(...stop)
    perform(builder, act)
  }
  const last = acts.at(-1)
  // Only a stop ends a run that waits.
  if (last && builder.isWaiting && stop.length === 0) resume(builder, last)
  builder.events.push(...stop)
  for (const callId of builder.calls.keys()) fail(builder, callId, end.words)
  if (builder.step) finishStep(builder, end)
  builder.events.push(terminalOf(end))
  return builder.events
}

function terminalOf({ how, words: message, reason, usage }: End): RunEvent {
  if (how === 'run.finished') return { type: how, reason, usage }
  if (how === 'run.cancelled') return { type: how, by: 'SECRET', usage }
  return { type: how, failure: { code: 'model-failed', message, retryable: true }, usage }
}

function perform(builder: EventBuilder, act: Act): void {
  if (builder.isWaiting) {
    if (act.what === 'answer') return answerWaiting(builder, act)
    if (act.what === 'share') return share(builder, act, { by: 'SECRET' })
    resume(builder, act)
  }
  switch (act.what) {
    case 'say':
    case 'think':
      return speak(builder, act.what === 'say' ? 'text' : 'reasoning', act)
    case 'hush':
      return endSpoken(builder, { metadata: 'SECRET' })
    case 'begin':
      return begin(builder, act)
    case 'type':
      return stream(builder, act)
    case 'call':
      return void call(builder, act)
    case 'run':
      return void execute(builder, ownCall(builder, act))
    case 'progress':
    case 'return':
    case 'fail':
      return settle(builder, at(builder, 'executing', act) ?? execute(builder, ownCall(builder, act)), act)
    case 'ask':
      return void ask(builder, at(builder, 'called', act) ?? call(builder, act), act)
    case 'answer':
      return continueCall(
        builder,
        answer(builder, at(builder, 'asked', act) ?? ask(builder, call(builder, act), act), act),
        act,
      )
    case 'data':
      return show(builder, act)
    case 'share':
      return share(builder, act)
    case 'cite':
      return cite(builder, act)
    case 'draw':
      return draw(builder, act)
    case 'own':
      return addCustom(builder, act)
    case 'provide':
      return provide(builder, act)
    case 'step':
      return builder.step ? finishStep(builder, act) : beginStep(builder)
    case 'wait':
      return suspend(builder, act)
    case 'crash':
      return crash(builder, act)
    case 'join':
      return join(builder, act)
  }
}

function speak(builder: EventBuilder, kind: 'text' | 'reasoning', { words: delta, pick }: Act): void {
  beginStep(builder)
  if (builder.spoken?.kind !== kind || pick === 0) {
    endSpoken(builder)
    builder.spoken = { kind, partId: newId(builder) }
    builder.events.push({ type: `${kind}.started`, partId: builder.spoken.partId })
  }
  builder.events.push({ type: `${kind}.delta`, partId: builder.spoken.partId, delta })
}

function stream(builder: EventBuilder, act: Act): void {
  if (!at(builder, 'input', act)) begin(builder, act)
  builder.events.push({ type: 'tool.delta', callId: at(builder, 'input', act) ?? '', delta: act.words })
}

function settle(builder: EventBuilder, callId: string | undefined, act: Act): void {
  // Client tools report no progress.
  if (callId === undefined) return
  if (act.what === 'return') return give(builder, callId, act)
  if (act.what === 'fail') return fail(builder, callId, act.words)
  const progress = act.yes ? { delta: act.words } : { output: act.json }
  builder.events.push({ type: 'tool.progressed', callId, ...progress })
}

/** Suspends the run until its questions are answered. Everything else is settled first. */
function suspend(builder: EventBuilder, act: Act): void {
  if (!at(builder, 'asked', act)) ask(builder, call(builder, act), act)
  // Several questions at once are no rarity.
  if (act.yes) ask(builder, call(builder, act), act)
  if (builder.step) finishStep(builder, act)
  const calls = callsAt(builder, 'asked')
  for (const callId of builder.calls.keys()) if (!calls.includes(callId)) fail(builder, callId, act.words)
  builder.events.push({ type: 'run.waiting', calls })
  builder.isWaiting = true
}

function answerWaiting(builder: EventBuilder, act: Act): void {
  answer(builder, at(builder, 'asked', act) ?? '', act)
  if (callsAt(builder, 'asked').length === 0) resume(builder, act)
}

/** Answers the open questions, or lets them expire: the next attempt notices that. */
function resume(builder: EventBuilder, act: Act): void {
  const late = act.pick > 4 ? callsAt(builder, 'asked') : []
  for (const callId of callsAt(builder, 'asked')) if (!late.includes(callId)) answer(builder, callId, act)
  builder.events.push({ type: 'run.resumed', because: 'answer', attempt: builder.crashes })
  builder.isWaiting = false
  for (const callId of late) fail(builder, callId, act.words)
  for (const callId of callsAt(builder, 'answered')) continueCall(builder, callId, act)
}

/** The next attempt ends what was open. Some of the running calls run again, and waiting calls keep waiting. */
function crash(builder: EventBuilder, act: Act): void {
  builder.crashes += 1
  builder.events.push({ type: 'run.resumed', because: 'crash', attempt: builder.crashes })
  endSpoken(builder)
  for (const callId of callsAt(builder, 'input')) fail(builder, callId, act.words)
  if (builder.step) builder.events.push({ type: 'step.finished', reason: 'interrupted', usage: act.usage })
  builder.step = false
  for (const callId of callsAt(builder, 'executing')) {
    if (act.yes) fail(builder, callId, act.words)
    else {
      if (act.pick > 3) execute(builder, callId)
      give(builder, callId, act)
    }
  }
}

/** A user message may arrive in any state. */
function join(builder: EventBuilder, { words: text }: Act): void {
  builder.events.push({ type: 'user.joined', messageId: newId(builder), input: [{ type: 'text', text }] })
}

function show({ events }: EventBuilder, { yes, pick, json: value }: Act): void {
  const named = yes ? { id: `d${pick % 3}` } : {}
  const passing = pick > 5 ? { transient: true } : {}
  events.push({ type: 'data', name: `card${pick % 2}`, value, ...named, ...passing })
}

function cite(builder: EventBuilder, { words: title, yes, pick }: Act): void {
  beginStep(builder)
  const place = yes ? { url: `https://example.com/${pick}` } : { mediaType: 'text/plain', filename: 'a.txt' }
  builder.events.push({ type: 'source', sourceId: `s${pick}`, title, ...place, provider: 'SECRET' })
}

function draw(builder: EventBuilder, { yes, pick }: Act): void {
  beginStep(builder)
  const kind = yes ? 'output' : 'reasoning'
  const url = `/v1/files/file_${pick}`
  builder.events.push({ type: 'file', url, mediaType: 'image/png', kind, provider: 'SECRET' })
}

function addCustom(builder: EventBuilder, { json }: Act): void {
  beginStep(builder)
  const provider = { name: 'test', metadata: { test: { content: json } } }
  builder.events.push({ type: 'custom', kind: 'test.content', provider })
}

/** A call that the provider of the model runs, with its outcome. */
function provide(builder: EventBuilder, { json, words, yes, pick }: Act): void {
  beginStep(builder)
  endSpoken(builder)
  const own = { callId: newId(builder), by: 'provider', provider: { id: 'SECRET' } } as const
  if (pick > 3) builder.events.push({ type: 'tool.started', callId: own.callId, tool: 'web', by: 'provider' })
  builder.events.push({ type: 'tool.called', tool: 'web', input: json, ...own })
  const failure = { code: 'tool-failed', message: words, retryable: false }
  builder.events.push(
    yes
      ? { type: 'tool.returned', output: json, text: words, ...own }
      : { type: 'tool.failed', failure, ...own },
  )
}

/** Set whole at first, then field by field. A client sets it whole. */
function share(builder: EventBuilder, { words, yes, json: value }: Act, origin: { by?: string } = {}): void {
  const whole = { op: 'replace', path: '', value: { words } } as const
  const field = { op: 'add', path: yes ? '/field' : '/words', value } as const
  builder.events.push({
    type: 'state.changed',
    patch: [builder.shares && !origin.by ? field : whole],
    ...origin,
  })
  builder.shares = true
}
