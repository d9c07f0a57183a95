import { setTimeout as wait } from 'node:timers/promises'

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

import { finish, text, type Script, type ScriptPart, type ScriptStep } from './script.ts'

/**
 * A language model that plays a script and records its requests.
 *
 * @example
 * const model: ScriptedModel = scriptedModel(['Hello.'])
 * await server.send('dice', 'Hi.')
 * model.requests[0]?.tools // the tools that the model was given
 * model.play(['Hello again.'])
 */
export type ScriptedModel = LanguageModelV4 & {
  /** The options of each call so far: prompt, tools, settings. */
  readonly requests: readonly LanguageModelV4CallOptions[]
  /** The prompt of each call so far. */
  readonly prompts: readonly LanguageModelV4Prompt[]
  /** Replaces the script and clears the recorded requests. */
  play(script: Script): void
}

/**
 * The speed and the names of a scripted model.
 *
 * @example
 * scriptedModel(['Hello.'], { delayMs: 5, provider: 'acme', modelId: 'slow' })
 */
export type ScriptedModelOptions = {
  /** Pause before each part, in ms. */
  readonly delayMs?: number
  readonly provider?: string
  readonly modelId?: string
}

/**
 * Creates a language model that answers with a script, one step for each call: texts, reasoning, tool calls,
 * errors, pauses. Use it as the `model` of an agent.
 *
 * @example
 * const model = scriptedModel([toolCall('roll', { sides: 6 }), 'You rolled a 4.'])
 * await using server = await testServer({ agents: [{ ...dice, model }] })
 * const answer = await server.send('dice', 'Roll a die.')
 * answer.text // 'You rolled a 4.'
 * model.prompts[1] // what the model was given after the roll
 */
export function scriptedModel(script: Script = [], options: ScriptedModelOptions = {}): ScriptedModel {
  const { delayMs = 0, provider = 'scripted', modelId = 'model' } = options
  const requests: LanguageModelV4CallOptions[] = []
  const prompts: LanguageModelV4Prompt[] = []
  let steps = script
  const stream = (request: LanguageModelV4CallOptions): ReadableStream<LanguageModelV4StreamPart> => {
    prompts.push(request.prompt)
    const next = steps[requests.push(request) - 1]
    request.abortSignal?.throwIfAborted()
    if (next === undefined) throw new Error(`The script ends before call ${requests.length} of the model.`)
    const step = typeof next === 'function' ? next(request) : next
    if (step instanceof Error) throw step
    return ReadableStream.from(playParts(partsOf(step), request.abortSignal, delayMs))
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doStream: async (request) => ({ stream: stream(request) }),
    doGenerate: async (request) => wholeAnswer(stream(request)),
    requests,
    prompts,
    play(next) {
      steps = next
      requests.length = 0
      prompts.length = 0
    },
  }
}

function partsOf(step: Exclude<ScriptStep, Error>): readonly ScriptPart[] {
  const parts = typeof step === 'string' ? text(step) : step.flat()
  if (parts.some(({ type }) => type === 'finish')) return parts
  return [...parts, finish(parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop')]
}

async function* playParts(
  parts: readonly ScriptPart[],
  signal: AbortSignal | undefined,
  delayMs: number,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (const part of parts) {
    if (delayMs > 0) await wait(delayMs, undefined, { ...(signal && { signal }) })
    switch (part.type) {
      case 'gate':
        await part.pass(signal)
        break
      case 'pause':
        await wait(part.ms, undefined, { ...(signal && { signal }) })
        break
      case 'silence':
        await (part.ignoresAbort ? new Promise<never>(() => {}) : rejectOnAbort(signal))
        break
      case 'break-off':
        if (part.error === undefined) return
        throw part.error
      default:
        yield part
    }
  }
}

function rejectOnAbort(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal?.reason)
  if (signal?.aborted) giveUp()
  signal?.addEventListener('abort', giveUp, { once: true })
  return promise
}

async function wholeAnswer(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  const texts = new Map<string, { text: string }>()
  for await (const part of stream) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const textContent = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' } as const
        texts.set(part.id, textContent)
        content.push(textContent)
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const textContent = texts.get(part.id)
        if (textContent) textContent.text += part.delta
        break
      }
      case 'error':
        throw part.error
      case 'finish':
        return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'file':
      case 'reasoning-file':
      case 'source':
      case 'custom':
        content.push(part)
        break
      default:
    }
  }
  throw new Error('The script broke off the answer.')
}
