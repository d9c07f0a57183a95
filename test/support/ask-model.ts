import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

import { createModels, modelsFileSchema } from '../../packages/dragoman/src/models/index.ts'

export const WIRE_KEY = 'sk-right-1234'

type Options = {
  /** Of the provider in models.yaml. */
  readonly provider?: object
  /** The models of models.yaml. */
  readonly models?: object
  readonly retries?: number
  readonly agent?: { readonly retries?: number; readonly retryDelayMs?: number }
  readonly key?: string
  /** Whether `second` stands in. */
  readonly hasFallback?: boolean
  readonly prompt?: LanguageModelV4Prompt
  readonly tools?: LanguageModelV4FunctionTool[]
  /** The model in place of `first`. */
  readonly model?: string
}

const HI: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]

export type ModelAnswer = {
  readonly said: string
  readonly thoughts: string
  readonly calls: readonly { readonly tool: string; readonly input: string }[]
  readonly parts: readonly LanguageModelV4StreamPart[]
  readonly finish: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined
  readonly speakers: readonly string[]
  readonly warnings: readonly string[]
  readonly error: unknown
}

/** Asks `wire:first`, for which `wire:second` stands in, over the real package of a protocol. */
export async function askModel(
  url: string,
  api: string,
  {
    provider = {},
    models: entries = {},
    retries = 0,
    agent = {},
    key = WIRE_KEY,
    hasFallback = true,
    prompt = HI,
    tools,
    model: name = 'first',
  }: Options = {},
): Promise<ModelAnswer> {
  const file = modelsFileSchema.parse({
    providers: { wire: { base_url: url, api_key_env: 'WIRE_KEY', api, ...provider } },
    models: entries,
    fallback_triggers: { max_retries: retries },
  })
  const warnings: string[] = []
  const warn = (problem: string): void => void warnings.push(problem)
  const models = createModels({ env: { WIRE_KEY: key }, offlinePace: 0, file, warn })
  const speakers: string[] = []
  const choice = models.choose({
    primary: `wire:${name}`,
    ...(hasFallback && { fallback: 'wire:second' }),
    ...agent,
  })
  const model = await choice.load((by) => speakers.push(by.name))
  const parts: LanguageModelV4StreamPart[] = []
  const listen = async (): Promise<void> => {
    const { stream } = await model.doStream({ prompt, ...(tools && { tools }) })
    for await (const part of stream) parts.push(part)
  }
  const error: unknown = await listen().catch((thrown: unknown) => thrown)
  const textOf = (type: 'text-delta' | 'reasoning-delta'): string =>
    parts.map((part) => (part.type === type ? part.delta : '')).join('')
  return {
    said: textOf('text-delta'),
    thoughts: textOf('reasoning-delta'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ tool: part.toolName, input: part.input }] : [],
    ),
    parts,
    finish: parts.find((part) => part.type === 'finish'),
    speakers,
    warnings,
    error,
  }
}
