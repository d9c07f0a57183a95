import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

import {
  modelSettings,
  type EngineHost,
  type EngineJob,
  type ModelSettings,
  type StepSettings,
} from '../agents/index.ts'
import { WAITING_FOR_MODEL } from '../events/index.ts'
import type { ModelInfo, ModelPreference, Models, ModelWait } from '../models/index.ts'

type Settings = Pick<
  LanguageModelV4CallOptions,
  'temperature' | 'reasoning' | 'maxOutputTokens' | 'providerOptions'
>

/** The model of a step. */
export type StepModel = {
  readonly model: LanguageModelV4
  readonly settings: Settings
  /** The model that answered last. */
  readonly modelInfo: () => ModelInfo
  readonly failure: (error: unknown) => Error
}

/** Loads the models of a run's steps. Steps with the agent's own settings share theirs. */
export function createModelLoader(
  models: Models,
  job: EngineJob,
  host: EngineHost,
): (step?: StepSettings) => Promise<StepModel> {
  const own: ModelPreference & ModelSettings = modelSettings(job.agent.model)
  let shared: Promise<StepModel> | undefined
  return async ({ model, providerOptions } = {}) => {
    if (model === undefined && providerOptions === undefined) return (shared ??= load(own, models, host))
    const { primary, ...others } = modelSettings(model)
    const isReplaced = primary !== undefined && own.isRequested !== true
    const merged = { ...own, ...others, ...(isReplaced && { primary }) }
    const options = mergeOptions(merged.providerOptions, providerOptions)
    return load({ ...merged, ...(options && { providerOptions: options }) }, models, host)
  }
}

function mergeOptions(
  one: ModelSettings['providerOptions'],
  other: ModelSettings['providerOptions'],
): ModelSettings['providerOptions'] {
  if (!one || !other) return one ?? other
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...names].map((name) => [name, { ...one[name], ...other[name] }]))
}

async function load(settings: ModelSettings, models: Models, host: EngineHost): Promise<StepModel> {
  const choice = models.choose(settings)
  const failure = (error: unknown): Error => choice.failure(error)
  let modelInfo: ModelInfo = { name: choice.name, provider: choice.name.split(':')[0] ?? choice.name }
  try {
    const model = await choice.load(
      (info) => (modelInfo = info),
      (wait) => reportWait(host, wait),
      host,
    )
    return { model, settings: settingsOf(settings), modelInfo: () => modelInfo, failure }
  } catch (error) {
    throw failure(error)
  }
}

/** Shows readers at once why the answer is delayed. The event is not part of the answer. */
function reportWait(host: EngineHost, wait: ModelWait): void {
  void host.emit({ type: 'data', name: WAITING_FOR_MODEL, value: wait, transient: true })
}

function settingsOf({ temperature, thinking, maxOutputTokens, providerOptions }: ModelSettings): Settings {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(thinking !== undefined && { reasoning: thinking }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(providerOptions && { providerOptions }),
  }
}
