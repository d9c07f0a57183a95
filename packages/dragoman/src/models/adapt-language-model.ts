import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'

import { adaptV2 } from './adapt-v2.ts'
import { adaptV3 } from './adapt-v3.ts'

/** A language model object of AI SDK 5 (`v2`), 6 (`v3`) or 7 (`v4`). */
export type LanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

/** Returns the model as one of AI SDK 7, the version that the engines call. */
export function adaptLanguageModel(model: LanguageModel): LanguageModelV4 {
  switch (model.specificationVersion) {
    case 'v4':
      return model
    case 'v3':
      return adaptV3(model)
    case 'v2':
      return adaptV3(adaptV2(model))
  }
}
