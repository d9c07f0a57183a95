import { createCallTally } from '../events/index.ts'
import type { ModelChoice } from './model-choice.ts'
import { createToolModel } from './create-tool-model.ts'

/** A tool model of a test, for which no one pays. */
export const unmeteredModel = (choose: () => ModelChoice) =>
  createToolModel(choose, (_promptTokens, ask) => ask(createCallTally()))
