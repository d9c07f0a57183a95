import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

import type { Gate } from './gate.ts'

/** Instructions of a script besides output. */
type Pause =
  | Gate
  | { readonly type: 'pause'; readonly ms: number }
  | { readonly type: 'silence'; readonly ignoresAbort: boolean }
  | { readonly type: 'break-off'; readonly error: unknown }

/**
 * A part of an answer: a stream part of the AI SDK, a gate, a pause, silence, or an end before the end.
 *
 * @example
 * const part: ScriptPart = { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.com' }
 */
export type ScriptPart = LanguageModelV4StreamPart | Pause

/**
 * One answer of the model: a text, parts in order, or an error with which the call fails.
 *
 * @example
 * const steps: ScriptStep[] = ['Hello.', [reasoning('Hm.'), toolCall('roll', { sides: 6 })], new Error('overloaded')]
 */
export type ScriptStep = string | Error | readonly (ScriptPart | readonly ScriptPart[])[]

/**
 * The answers of a scripted model, one for each call. A function makes its answer of the call's options.
 *
 * @example
 * const script: Script = ['Hello.', ({ prompt }) => `You have sent ${prompt.length} messages.`]
 */
export type Script = readonly (ScriptStep | ((request: LanguageModelV4CallOptions) => ScriptStep))[]

/**
 * A piece of a streamed text: a delta, or an instruction between two deltas.
 *
 * @example
 * const pieces: Piece[] = ['One', pause(20), ' two']
 */
export type Piece = string | Pause | Extract<LanguageModelV4StreamPart, { type: 'error' }>

/**
 * Streams a text, one delta for each piece.
 *
 * @example
 * scriptedModel([text('You rolled ', pause(20), 'a 4.')])
 */
export function text(...pieces: readonly Piece[]): ScriptPart[] {
  return streamPieces('text', pieces)
}

/**
 * Reasons before it answers.
 *
 * @example
 * scriptedModel([[reasoning('A die has six sides.'), text('You rolled a 4.')]])
 */
export function reasoning(...pieces: readonly Piece[]): ScriptPart[] {
  return streamPieces('reasoning', pieces)
}

/**
 * Calls a tool. The input is streamed as JSON in small deltas; a list of pieces is streamed as it is, JSON or not.
 *
 * @example
 * scriptedModel([toolCall('roll', { sides: 6 }), 'You rolled a 4.'])
 */
export function toolCall(
  toolName: string,
  input: { readonly [key: string]: unknown } | readonly Piece[],
  { id = `call_${++toolCalls}` }: { readonly id?: string } = {},
): ScriptPart[] {
  const pieces = isPieces(input) ? input : (JSON.stringify(input).match(/.{1,7}/gsu) ?? [])
  const whole = pieces.filter((piece) => typeof piece === 'string').join('')
  return [
    { type: 'tool-input-start', id, toolName },
    ...pieces.map((piece) => part(piece, (delta) => ({ type: 'tool-input-delta', id, delta }))),
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName, input: whole },
  ]
}

/**
 * Tokens that a call used. Undefined: the provider does not report them.
 *
 * @example
 * const usage: ScriptUsage = { inputTokens: 10, outputTokens: undefined }
 */
export type ScriptUsage = {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

/**
 * The usage of each answer, unless it ends with a `finish` of its own.
 *
 * @example
 * const step = answer.events.find(({ type }) => type === 'step.finished')
 * expect(step).toMatchObject({ usage: DEFAULT_USAGE })
 */
export const DEFAULT_USAGE = { inputTokens: 7, outputTokens: 5 } satisfies ScriptUsage

/**
 * Ends an answer. Without it, an answer ends as `tool-calls` if it calls a tool, and as `stop` otherwise.
 *
 * @example
 * scriptedModel([[text('You rolled'), finish('length', { inputTokens: 10, outputTokens: 2 })]])
 */
export function finish(
  reason: LanguageModelV4FinishReason['unified'],
  { inputTokens: input, outputTokens: output }: ScriptUsage = DEFAULT_USAGE,
): ScriptPart {
  return {
    type: 'finish',
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: output, text: output, reasoning: undefined },
    },
  }
}

/**
 * Waits before the next part.
 *
 * @example
 * scriptedModel([text('Slowly', pause(200), ' does it.')])
 */
export function pause(ms: number): Pause {
  return { type: 'pause', ms }
}

/**
 * Sends nothing more until the call is aborted. With `ignoresAbort` it ignores the abort as well, like a
 * provider that hangs.
 *
 * @example
 * scriptedModel([[text('One moment'), silence()]])
 */
export function silence({ ignoresAbort = false }: { readonly ignoresAbort?: boolean } = {}): Pause {
  return { type: 'silence', ignoresAbort }
}

/**
 * Ends the stream early: with an error, as if the connection was lost, or without one, as if the provider closed
 * it.
 *
 * @example
 * scriptedModel([[text('You rol'), breakOff(new TypeError('terminated'))]])
 */
export function breakOff(error?: unknown): Pause {
  return { type: 'break-off', error }
}

let parts = 0
let toolCalls = 0

function streamPieces(kind: 'text' | 'reasoning', pieces: readonly Piece[]): ScriptPart[] {
  const id = `${kind}_${++parts}`
  return [
    { type: `${kind}-start`, id },
    ...pieces.map((piece) => part(piece, (delta) => ({ type: `${kind}-delta`, id, delta }))),
    { type: `${kind}-end`, id },
  ]
}

function part(piece: Piece, delta: (text: string) => ScriptPart): ScriptPart {
  return typeof piece === 'string' ? delta(piece) : piece
}

function isPieces(input: object): input is readonly Piece[] {
  return Array.isArray(input)
}
