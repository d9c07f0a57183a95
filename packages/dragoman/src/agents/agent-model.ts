import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'

import { isJsonObject, type Json } from '../events/index.ts'

/**
 * A language model object of AI SDK 5, 6 or 7, as the AI SDK's provider packages create it.
 *
 * @example
 * import { anthropic } from '@ai-sdk/anthropic'
 *
 * const model: LanguageModel = anthropic('claude-sonnet-5-5')
 */
export type LanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

/**
 * A model by name, or a language model object. A name is `provider/model`, a provider, `sonnet`, `haiku`, or a
 * name in models.yaml.
 *
 * @example
 * const model: ModelReference = 'anthropic/claude-sonnet-5-5'
 */
export type ModelReference = string | LanguageModel

/**
 * Options of a provider's own, as in the AI SDK. The key is the one of the provider's package (`anthropic`, `google`,
 * `openai`, `openaiCompatible` for chat completions), or the name of a provider of models.yaml.
 *
 * @example
 * const providerOptions: ProviderOptions = { openai: { serviceTier: 'flex' } }
 */
export type ProviderOptions = { readonly [provider: string]: { readonly [option: string]: Json } }

/**
 * A model with settings. Every field is optional: without `primary`, any configured provider answers.
 *
 * @example
 * const model: ModelSettings = {
 *   primary: 'anthropic/claude-sonnet-5-5',
 *   fallback: 'openai/gpt-6-astra',
 *   temperature: 0.2,
 * }
 */
export type ModelSettings = {
  readonly primary?: ModelReference
  /** Answers if `primary` is not configured or fails before its first token. */
  readonly fallback?: ModelReference
  readonly temperature?: number
  /** How much the model reasons before it answers. Models of AI SDK 5 and 6 ignore it. */
  readonly thinking?: 'none' | 'low' | 'medium' | 'high'
  readonly maxOutputTokens?: number
  readonly providerOptions?: ProviderOptions
  /** Tries after the first, and the pause before the first of them in ms. Each further pause is twice as long. */
  readonly retries?: number
  readonly retryDelayMs?: number
}

/**
 * The model of an agent: a name, a language model object, or either with settings.
 *
 * @example
 * import { anthropic } from '@ai-sdk/anthropic'
 *
 * const byName: AgentModel = 'anthropic/claude-sonnet-5-5'
 * const byObject: AgentModel = anthropic('claude-sonnet-5-5')
 * const withSettings: AgentModel = { primary: byName, maxOutputTokens: 4096 }
 */
export type AgentModel = ModelReference | ModelSettings

/** Normalizes the model of an agent. */
export function modelSettings(model: AgentModel | undefined): ModelSettings {
  if (model === undefined) return {}
  return isReference(model) ? { primary: model } : model
}

function isReference(model: AgentModel): model is ModelReference {
  return typeof model === 'string' || 'specificationVersion' in model
}

const SETTINGS: Readonly<Record<keyof ModelSettings, (value: unknown) => string | undefined>> = {
  primary: referenceFault,
  fallback: referenceFault,
  temperature: (value) => (isNumber(value, 0, 2) ? undefined : 'must be a number from 0 to 2'),
  thinking: (value) =>
    ['none', 'low', 'medium', 'high'].includes(String(value))
      ? undefined
      : 'must be none, low, medium or high',
  maxOutputTokens: (value) => (isInteger(value, 1) ? undefined : 'must be a whole number from 1'),
  providerOptions: (value) =>
    isJsonObject(value) && Object.values(value).every((options) => isJsonObject(options))
      ? undefined
      : 'must be an object of objects, such as { openai: { … } }',
  retries: (value) => (isInteger(value, 0) ? undefined : 'must be a whole number from 0'),
  retryDelayMs: (value) => (isNumber(value, 0, Infinity) ? undefined : 'must be a number of ms from 0'),
}

/** Returns the problem with the value of an agent's `model`, as a sentence that begins with the field. */
export function modelFault(model: unknown): string | undefined {
  if (model === undefined) return undefined
  const isSettings = typeof model === 'object' && model !== null && !('specificationVersion' in model)
  if (!isSettings || Array.isArray(model)) return sentence('model', referenceFault(model))
  for (const [field, value] of Object.entries(model)) {
    if (value === undefined) continue
    const check = Object.hasOwn(SETTINGS, field) ? SETTINGS[field as keyof ModelSettings] : undefined
    if (!check) return `model.${field} is not a known field. Use ${Object.keys(SETTINGS).join(', ')}.`
    const fault = check(value)
    if (fault !== undefined) return sentence(`model.${field}`, fault)
  }
  return undefined
}

function sentence(field: string, fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : `${field} ${fault}.`
}

const EXPECTED =
  'must be a name such as anthropic/claude-sonnet-5-5, or a language model object of AI SDK 5, 6 or 7'

function referenceFault(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? `is empty: it ${EXPECTED}` : undefined
  if (typeof value === 'function')
    return `${EXPECTED}; it is a function: call it with the id of a model, such as anthropic('claude-sonnet-5-5')`
  if (typeof value !== 'object' || value === null || !('specificationVersion' in value)) return EXPECTED
  const { specificationVersion: version } = value
  if (version !== 'v2' && version !== 'v3' && version !== 'v4')
    return `${EXPECTED}; it has the specification version ${JSON.stringify(version)}`
  const isModel =
    'doStream' in value &&
    typeof value.doStream === 'function' &&
    'provider' in value &&
    typeof value.provider === 'string' &&
    'modelId' in value &&
    typeof value.modelId === 'string'
  return isModel ? undefined : `${EXPECTED}; it has no doStream, provider and modelId, as a provider has`
}

function isNumber(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max
}

function isInteger(value: unknown, min: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min
}
