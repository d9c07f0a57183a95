import type { LanguageModelV4FinishReason, LanguageModelV4Prompt } from '@ai-sdk/provider'

import { ServiceError, type Models } from '../../packages/dragoman/src/index.ts'
import {
  DEFAULT_USAGE,
  finish,
  reasoning,
  text,
  toolCall,
  type Piece,
  type Script as PlayedScript,
  type ScriptPart,
  type ScriptStep,
} from '../../packages/dragoman/src/testing/script.ts'
import { scriptedModel as modelThatPlays } from '../../packages/dragoman/src/testing/scripted-model.ts'

export type { Piece }
export type Act = ScriptPart
export type Step = ScriptStep
export type Script = readonly (Step | ((prompt: LanguageModelV4Prompt) => Step))[]

export type ScriptedModel = {
  readonly models: Models
  /** What the model was given, call by call. */
  readonly prompts: readonly LanguageModelV4Prompt[]
  /** Begins another script, and with it the prompts. */
  play(script: Script): void
}

/** A scripted model for every agent of a server. It never retries, as with a model that an agent brings itself. */
export function scriptedModel(first: Script = []): ScriptedModel {
  const model = modelThatPlays(toldPrompts(first))
  const choice = {
    name: 'scripted:model',
    why: 'It is the script of a test.',
    load: async () => model,
    failure: (error: unknown) =>
      error instanceof ServiceError ? error : new ServiceError('model-failed', FAILED, { cause: error }),
  }
  return {
    models: { choose: () => choice },
    prompts: model.prompts,
    play: (script) => model.play(toldPrompts(script)),
  }
}

function toldPrompts(script: Script): PlayedScript {
  return script.map((next) => (typeof next === 'function' ? ({ prompt }) => next(prompt) : next))
}

/** What a user is told of an error of the scripted model's that says nothing for them. */
export const FAILED = 'The model scripted:model did not answer as it should.'

/** A step that ends by itself: with `tool-calls` where it calls, else with `stop`, unless something else is said. */
export function step(...said: readonly (readonly Act[])[]): readonly Act[] {
  const acts = said.flat()
  if (acts.some(({ type }) => type === 'finish')) return acts
  return [...acts, finish(acts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop')]
}

/** A call of the model that is answered with an error. */
export function refuses(error: Error): Step {
  return error
}

export const says = text
export const thinks = reasoning

/** A call whose input streams. What is no JSON is given in pieces, as text. */
export function calls(id: string, tool: string, input: Parameters<typeof toolCall>[1]): Act[] {
  return toolCall(tool, input, { id })
}

/** What each step costs unless it says otherwise. */
export const SCRIPTED_USAGE = { input: DEFAULT_USAGE.inputTokens, output: DEFAULT_USAGE.outputTokens }

/** How a step ends. Undefined: the provider does not say what was spent. */
export function ends(
  reason: LanguageModelV4FinishReason['unified'],
  {
    input,
    output,
  }: { readonly input: number | undefined; readonly output: number | undefined } = SCRIPTED_USAGE,
): Act[] {
  return [finish(reason, { inputTokens: input, outputTokens: output })]
}

/** A prompt as lines like `user: Hello`, without system messages. Calls and their outcomes are in brackets. */
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
