import type { LanguageModelV4 } from '@ai-sdk/provider'

import { noUsage, type CallMeter } from '../events/index.ts'
import { isConfigured, type Models } from './create-models.ts'
import { tokensOf } from './fit-context.ts'
import type { ModelChoice } from './model-choice.ts'
import { readModelUsage } from './read-model-usage.ts'

/** Counts the calls of models that an application brings. Configured models count theirs, try by try. */
export function meterModels(models: Models): Models {
  if (isConfigured(models)) return models
  return {
    choose: (preference) => meterChoice(models.choose(preference)),
    ...(models.requireReachable && { requireReachable: (name) => models.requireReachable?.(name) }),
    ...(models.selectable && { selectable: (names) => models.selectable?.(names) ?? [] }),
  }
}

function meterChoice(choice: ModelChoice): ModelChoice {
  const { name, why } = choice
  return {
    name,
    why,
    failure: (error) => choice.failure(error),
    async load(onModel, onWait, meter) {
      const model = await choice.load(onModel, onWait)
      return meter ? meterModel(model, name, meter) : model
    },
  }
}

function meterModel(model: LanguageModelV4, name: string, meter: CallMeter): LanguageModelV4 {
  const { provider, modelId, supportedUrls } = model
  const charge = async <T>(
    options: Parameters<LanguageModelV4['doStream']>[0],
    call: () => PromiseLike<T>,
    costOf: (answer: T) => ReturnType<typeof readModelUsage>,
  ): Promise<T> => {
    const setCost = meter.charge({ model: name, inputTokens: tokensOf(options) })
    try {
      const answer = await call()
      const cost = costOf(answer)
      if (cost) setCost(cost)
      return answer
    } catch (error) {
      if (!options.abortSignal?.aborted) setCost(noUsage)
      throw error
    }
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doStream: (options) =>
      charge(
        options,
        () => model.doStream(options),
        () => undefined,
      ),
    doGenerate: (options) =>
      charge(
        options,
        () => model.doGenerate(options),
        ({ usage }) => readModelUsage(usage),
      ),
  }
}
