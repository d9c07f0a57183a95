import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'

import { ServiceError, type Json, type Models } from '../../src/index.ts'
import type { Gate } from './gate.ts'

/** What a scripted model does next: says a part, waits until a gate is opened, or loses its line. */
export type Act =
  | LanguageModelV4StreamPart
  | { readonly type: 'hold'; readonly gate: Gate }
  | { readonly type: 'break'; readonly error: unknown }

/** One call of the model: what it streams, or an error instead of a stream. */
export type Step = { readonly acts: readonly Act[] } | { readonly refuses: unknown }
export type Script = readonly (Step | ((prompt: LanguageModelV4Prompt) => Step))[]

/** Deltas, and what happens between them. */
export type Piece = string | Gate | Extract<Act, { type: 'error' | 'break' }>

export type ScriptedModel = {
  readonly models: Models
  /** What the model was given, call by call. */
  readonly prompts: readonly LanguageModelV4Prompt[]
  /** Begins another script, and with it the prompts. */
  play(script: Script): void
}

/** A model that goes through its script, a step each time that it is called, whoever calls. */
export function scriptedModel(first: Script = []): ScriptedModel {
  let script = first
  const prompts: LanguageModelV4Prompt[] = []
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'model',
    supportedUrls: {},
    async doStream({ prompt, abortSignal }) {
      abortSignal?.throwIfAborted()
      prompts.push(prompt)
      const next = script[prompts.length - 1]
      const taken = typeof next === 'function' ? next(prompt) : next
      if (!taken) throw new Error(`The script ends before call ${prompts.length} of the model.`)
      if ('refuses' in taken) throw taken.refuses
      return { stream: ReadableStream.from(played(taken.acts, abortSignal)) }
    },
    async doGenerate() {
      throw new Error('The scripted model only streams.')
    },
  }
  const choice = {
    name: 'scripted:model',
    why: 'It is the script of a test.',
    load: async () => model,
    failure: (error: unknown) =>
      error instanceof ServiceError ? error : new ServiceError('model-failed', FAILED, { cause: error }),
  }
  return {
    models: { choose: () => choice },
    prompts,
    play(next) {
      script = next
      prompts.length = 0
    },
  }
}

/** What a user is told of an error of the scripted model's that says nothing for them. */
export const FAILED = 'The model scripted:model did not answer as it should.'

async function* played(
  acts: readonly Act[],
  signal: LanguageModelV4CallOptions['abortSignal'],
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (const act of acts) {
    signal?.throwIfAborted()
    if (act.type === 'break') throw act.error
    if (act.type === 'hold') await act.gate.pass(signal)
    else yield act
  }
}

/** A step that ends by itself: with `tool-calls` where it calls, else with `stop`, unless something else is said. */
export function step(...said: readonly (readonly Act[])[]): { readonly acts: readonly Act[] } {
  const acts = said.flat()
  if (acts.some(({ type }) => type === 'finish')) return { acts }
  return { acts: [...acts, ...ends(acts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop')] }
}

/** A call of the model that is answered with an error. */
export function refuses(error: unknown): Step {
  return { refuses: error }
}

export function says(...pieces: readonly Piece[]): Act[] {
  return spoken('text', pieces)
}

export function thinks(...pieces: readonly Piece[]): Act[] {
  return spoken('reasoning', pieces)
}

/** A call whose input streams. What is no JSON is given in pieces, as text. */
export function calls(
  id: string,
  tool: string,
  input: { readonly [key: string]: Json } | readonly Piece[],
): Act[] {
  const pieces = isPieces(input) ? input : (JSON.stringify(input).match(/.{1,7}/gsu) ?? [])
  const whole = pieces.filter((piece) => typeof piece === 'string').join('')
  return [
    { type: 'tool-input-start', id, toolName: tool },
    ...pieces.map((piece) => acted(piece, (delta) => ({ type: 'tool-input-delta', id, delta }))),
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName: tool, input: whole },
  ]
}

/** How a step ends. */
export function ends(reason: LanguageModelV4FinishReason['unified'], usage: Spent = SPENT): Act[] {
  return [{ type: 'finish', finishReason: { unified: reason, raw: reason }, usage: usageOf(usage) }]
}

/** Undefined: the provider does not say. */
type Spent = { readonly input: number | undefined; readonly output: number | undefined }

/** What each step costs unless it says otherwise. */
export const SPENT = { input: 7, output: 5 } satisfies Spent

let spokenParts = 0

function spoken(kind: 'text' | 'reasoning', pieces: readonly Piece[]): Act[] {
  const id = `${kind}_${++spokenParts}`
  return [
    { type: `${kind}-start`, id },
    ...pieces.map((piece) => acted(piece, (delta) => ({ type: `${kind}-delta`, id, delta }))),
    { type: `${kind}-end`, id },
  ]
}

function acted(piece: Piece, delta: (text: string) => Act): Act {
  if (typeof piece === 'string') return delta(piece)
  return 'type' in piece ? piece : { type: 'hold', gate: piece }
}

function isPieces(input: object): input is readonly Piece[] {
  return Array.isArray(input)
}

function usageOf({ input, output }: Spent): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}

/** A prompt as lines like `user: Hello`: the system's words are left out, calls and their outcomes stand in brackets. */
export function linesOf(prompt: LanguageModelV4Prompt | undefined): string[] {
  return (prompt ?? []).flatMap((message) => {
    if (message.role === 'system') return []
    const words = message.content.map((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'tool-result' || part.type === 'tool-call'
        ? `[${part.toolName}]`
        : `[${part.type}]`
    })
    return [`${message.role}: ${words.join(' ')}`]
  })
}
