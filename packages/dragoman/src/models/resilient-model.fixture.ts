import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider'

import type { CallMeter } from '../events/index.ts'
import { breakOff, silence, type ScriptPart } from '../testing/script.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import type { ModelEndpoint } from './call-model.ts'
import { modelFailure } from './model-failure.ts'
import { createResilientModel, type Chain, type RetryPolicy } from './resilient-model.ts'

export type Part = LanguageModelV4StreamPart
/** One call: its stream parts, `silence` for no further output, or an error in place of a stream. */
export type ScriptedCall = readonly (Part | 'silence')[] | Error

export const SECRET = 'sk-secret-1234'
type Finish = Extract<Part, { type: 'finish' }>
export const end: Finish = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
}
export const say = (...deltas: string[]): Part[] => [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: 't' },
  ...deltas.map((delta): Part => ({ type: 'text-delta', id: 't', delta })),
]
export const answer = (...deltas: string[]): Part[] => [...say(...deltas), { type: 'text-end', id: 't' }, end]

export function apiError(statusCode: number, responseHeaders: Record<string, string> = {}): APICallError {
  return new APICallError({
    message: SECRET,
    url: 'http://x',
    requestBodyValues: {},
    statusCode,
    responseHeaders,
  })
}

/** A model that plays its calls, and counts its requests and aborts. */
export function scriptedEndpoint(provider: string, ...calls: ScriptedCall[]) {
  const state = {
    get asked() {
      return model.requests.length
    },
    aborted: 0,
    at: [] as number[],
  }
  const model = scriptedModel(
    calls.map((call) => ({ abortSignal }) => {
      state.at.push(performance.now())
      abortSignal?.addEventListener('abort', () => state.aborted++)
      return call instanceof Error ? call : [...call.map(partOf), breakOff()]
    }),
    { provider, modelId: 'scripted' },
  )
  const name = `${provider}:scripted`
  const member: ModelEndpoint = {
    name,
    provider,
    namespace: provider,
    idleTimeoutMs: 180_000,
    contextWindow: 128_000,
    callsPerStep: 128,
    warn: () => undefined,
    load: async () => model,
    failure: (error) => modelFailure(error, { name, keyVariable: 'A_KEY' }),
  }
  return { member, state }
}

function partOf(part: Part | 'silence'): ScriptPart {
  return part === 'silence' ? silence({ ignoresAbort: true }) : part
}

/** Three more tries, and every model of the chain. */
export const retryAlways: RetryPolicy = { retries: 3, retryDelayMs: 1000, usesFallback: () => true }

/** Calls a chain and returns the result. */
export async function ask(
  chain: Chain,
  {
    patience = retryAlways,
    signal,
    meter,
  }: { patience?: RetryPolicy; signal?: AbortSignal; meter?: CallMeter } = {},
) {
  const speakers: string[] = []
  const model = await createResilientModel(chain, patience, {
    onModel: ({ name }) => speakers.push(name),
    meter,
  })
  const texts: string[] = []
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
  const listen = async (): Promise<void> => {
    const { stream } = await model.doStream({ prompt, ...(signal && { abortSignal: signal }) })
    for await (const part of stream) if (part.type === 'text-delta') texts.push(part.delta)
  }
  const error: unknown = await listen().catch((thrown: unknown) => thrown)
  return { said: texts.join(''), speakers, error }
}
