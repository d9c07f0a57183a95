import type { ClientTool, Json, RunEvent } from '../events/index.ts'
import type { Act } from './arbitrary-logs.fixture.ts'
import { storyTools } from './stories.fixture.ts'

/** `asks` is the kind of the last question, `approved` the answer to it. */
type Call = {
  readonly tool: string
  readonly asks?: 'approval' | 'output'
  state: 'input' | 'called' | 'asked' | 'answered' | 'executing'
  approved?: boolean
}

/** The events so far, and what they leave open. */
export type EventBuilder = {
  readonly events: RunEvent[]
  readonly calls: Map<string, Call>
  count: number
  crashes: number
  step: boolean
  isWaiting: boolean
  /** Whether a state exists that a patch can change. */
  shares: boolean
  spoken: { readonly kind: 'text' | 'reasoning'; readonly partId: string } | undefined
}

export function createEventBuilder(): EventBuilder {
  return {
    events: [],
    calls: new Map(),
    count: 0,
    crashes: 0,
    step: false,
    isWaiting: false,
    shares: false,
    spoken: undefined,
  }
}

export function beginStep(builder: EventBuilder): void {
  if (!builder.step) builder.events.push({ type: 'step.started', model: 'offline' })
  builder.step = true
}

export function finishStep(
  builder: EventBuilder,
  { words, reason, usage }: Pick<Act, 'words' | 'reason' | 'usage'>,
): void {
  endSpoken(builder)
  for (const [callId, { state }] of builder.calls) if (state !== 'asked') fail(builder, callId, words)
  builder.events.push({ type: 'step.finished', reason, usage })
  builder.step = false
}

export function endSpoken(builder: EventBuilder, provider?: Json): void {
  const { spoken } = builder
  if (!spoken) return
  builder.events.push({ type: `${spoken.kind}.ended`, partId: spoken.partId, ...(provider && { provider }) })
  builder.spoken = undefined
}

/** Starts a call with streamed input. */
export function begin(builder: EventBuilder, act: Act): void {
  beginStep(builder)
  endSpoken(builder)
  const callId = newId(builder)
  const tool = toolOf(act)
  builder.calls.set(callId, { tool, state: 'input' })
  builder.events.push({ type: 'tool.started', callId, tool })
}

/** Completes a started call, or makes a call without streamed input. */
export function call(builder: EventBuilder, act: Act): string {
  beginStep(builder)
  endSpoken(builder)
  const inputCallId = act.pick > 1 ? at(builder, 'input', act) : undefined
  const callId = inputCallId ?? newId(builder)
  const tool = builder.calls.get(callId)?.tool ?? toolOf(act)
  if (
    inputCallId !== undefined &&
    !builder.events.some((each) => each.type === 'tool.delta' && each.callId === inputCallId)
  )
    builder.events.push({ type: 'tool.delta', callId, delta: JSON.stringify(act.json) })
  builder.calls.set(callId, { tool, state: 'called' })
  builder.events.push({ type: 'tool.called', callId, tool, input: act.json, provider: { id: 'SECRET' } })
  return callId
}

/** A call that the server can run. */
export function ownCall(builder: EventBuilder, act: Act): string {
  const waiting = callsAt(builder, 'called').find((callId) => !pageTool(builder, callId))
  return waiting ?? call(builder, { ...act, pick: 0 })
}

function toolOf({ pick, toolName }: Act): string {
  return (pick > 4 && storyTools[pick === 7 ? 1 : 0]?.name) || toolName
}

function pageTool({ calls }: EventBuilder, callId: string): ClientTool | undefined {
  return storyTools.find(({ name }) => name === calls.get(callId)?.tool)
}

export function execute(builder: EventBuilder, callId: string): string {
  move(builder, callId, { state: 'executing' })
  builder.events.push({ type: 'tool.executing', callId })
  return callId
}

/** The output of a client's tool is its answer, and the model reads it as the client gave it. */
export function give(builder: EventBuilder, callId: string, { json, words }: Act): void {
  builder.calls.delete(callId)
  const answered = builder.events.findLast((each) => each.type === 'tool.answered' && each.callId === callId)
  const clientAnswer =
    answered?.type === 'tool.answered' && answered.answer.kind === 'output' ? answered.answer : undefined
  const output = clientAnswer ? clientAnswer.output : json
  const text = clientAnswer ? (typeof output === 'string' ? output : JSON.stringify(output)) : words
  builder.events.push({ type: 'tool.returned', callId, output, text })
}

export function fail(builder: EventBuilder, callId: string, message: string): void {
  builder.calls.delete(callId)
  const failure = { code: 'tool-failed', message, retryable: false }
  builder.events.push({ type: 'tool.failed', callId, failure })
}

/**
 * Asks for an approval, or for the output of a client tool. A client tool that needs an approval gets both
 * questions.
 */
export function ask(builder: EventBuilder, callId: string, { words }: Pick<Act, 'words'>): string {
  const tool = pageTool(builder, callId)
  const kind = tool && (!tool.confirm || builder.calls.get(callId)?.asks) ? 'output' : 'approval'
  move(builder, callId, { state: 'asked', asks: kind })
  const preview = { title: words, format: 'diff', text: `-${words}\n`, problem: words } as const
  const details = kind === 'approval' && words.length % 2 === 0 ? { preview, basis: 'SECRET' } : {}
  builder.events.push({ type: 'tool.asked', callId, question: { kind, ...details } })
  return callId
}

/** Answers a question with an output, an error, or an approval. */
export function answer(
  builder: EventBuilder,
  callId: string,
  { json, words, pick, yes: approved }: Act,
): string {
  const { asks } = builder.calls.get(callId) ?? {}
  move(builder, callId, { state: 'answered', approved })
  const clientAnswer = approved
    ? ({ kind: 'output', output: json } as const)
    : ({ kind: 'error', message: words } as const)
  const verdict = { kind: 'approval', approved, ...(pick > 3 && { reason: words }) } as const
  const key = pick > 5 ? { key: `run:dice/conv_story:client-${builder.events.length}` } : {}
  const sentAnswer = asks === 'output' ? clientAnswer : verdict
  builder.events.push({ type: 'tool.answered', callId, answer: sentAnswer, by: 'SECRET', ...key })
  return callId
}

/** After an output the call returns. After an approval the tool runs, or the client is asked to run it. */
export function continueCall(builder: EventBuilder, callId: string, act: Act): void {
  const { asks, approved = false } = builder.calls.get(callId) ?? {}
  if (!approved) fail(builder, callId, act.words)
  else if (asks === 'output') give(builder, callId, act)
  else if (pageTool(builder, callId)) ask(builder, callId, act)
  else execute(builder, callId)
}

function move({ calls }: EventBuilder, callId: string, change: Partial<Call>): void {
  const before = calls.get(callId)
  if (before) calls.set(callId, { ...before, ...change })
}

export function callsAt({ calls }: EventBuilder, state: Call['state']): string[] {
  return [...calls].flatMap(([id, known]) => (known.state === state ? [id] : []))
}

/** One of the calls in this state. */
export function at(builder: EventBuilder, state: Call['state'], { pick }: Act): string | undefined {
  const found = callsAt(builder, state)
  return found[pick % Math.max(found.length, 1)]
}

export function newId(builder: EventBuilder): string {
  builder.count += 1
  return `run_story.${builder.count}`
}
