import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

import { ServiceError } from '../errors.ts'
import { hasContent, isAnswer } from './has-content.ts'
import { hasSpoken } from './has-spoken.ts'
import { noWordsError } from './lasting-failures.ts'
import { emptyAnswerError, incompleteAnswerError } from './model-failure.ts'
import { scopePartMetadata } from './scope-metadata.ts'

type Part = LanguageModelV4StreamPart
type Endpoint = { readonly name: string; readonly provider: string; readonly callsPerStep: number }

/** Checks the parts of one answer, each as it arrives. */
export type AnswerCheck = {
  /** @throws for an error part, and for an end without a finish part or without an answer */
  readonly check: (part: Part | undefined) => Part | undefined
  /** Whether the finish part has arrived. */
  readonly isFinished: () => boolean
}

/**
 * `prompt`: what the model is asked. If it has said its words before, it `mayBeSilent` once it was asked again, or
 * after a thought, which cannot be taken back.
 */
export function createAnswerCheck(
  endpoint: Endpoint,
  prompt: LanguageModelV4Prompt,
  mayBeSilent: boolean,
): AnswerCheck {
  let isFinished = false
  let hasAnswer = false
  let hasBegun = mayBeSilent
  let hasCalls = false
  const calls = new Set<string>()
  let callCount = 0
  return {
    isFinished: () => isFinished,
    check(part) {
      if (!part && !isFinished) throw incompleteAnswerError(endpoint.name)
      if (part?.type === 'tool-input-start') calls.add(part.id)
      if (part?.type === 'tool-call') callCount += 1
      if (Math.max(calls.size, callCount) > endpoint.callsPerStep) throw tooManyCallsError(endpoint)
      if (part?.type === 'error') throw part.error
      if (part?.type === 'finish') {
        const isSilent = !hasAnswer && hasBegun && hasSpoken(prompt)
        const finishReason = readFinish(endpoint, part.finishReason, {
          hasAnswer: hasAnswer || isSilent,
          hasCalls,
        })
        isFinished = true
        return scopePartMetadata({ ...part, finishReason }, endpoint)
      }
      if (part) {
        hasAnswer ||= isAnswer(part)
        hasBegun ||= hasContent(part)
        hasCalls ||= isOwnCall(part)
      }
      return part && scopePartMetadata(part, endpoint)
    },
  }
}

/** The finish of a whole answer. @throws if it is none */
export function checkAnswer(
  endpoint: Endpoint,
  finish: LanguageModelV4FinishReason,
  content: readonly LanguageModelV4Content[],
  mayBeSilent: boolean,
): LanguageModelV4FinishReason {
  return readFinish(endpoint, finish, {
    hasAnswer: content.some(isAnswer) || mayBeSilent,
    hasCalls: content.some(isOwnCall),
  })
}

/** Whether it is a call of our tools. Those of the provider's are done. */
function isOwnCall(part: Part | LanguageModelV4Content): boolean {
  return part.type === 'tool-call' && part.providerExecuted !== true
}

function readFinish(
  { name }: Endpoint,
  finish: LanguageModelV4FinishReason,
  { hasAnswer, hasCalls }: { readonly hasAnswer: boolean; readonly hasCalls: boolean },
): LanguageModelV4FinishReason {
  const { unified, raw } = finish
  if (isIncomplete(finish)) throw incompleteAnswerError(name)
  if (!hasAnswer && (unified === 'length' || unified === 'content-filter')) throw noWordsError(name, unified)
  if (!hasAnswer) throw emptyAnswerError(name, raw)
  return unified === 'tool-calls' && !hasCalls ? { unified: 'stop', raw } : finish
}

/** If the provider sent no finish, the packages create one without the provider's own reason. */
function isIncomplete({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return unified === 'error' || (raw === undefined && (unified === 'other' || unified === 'interrupted'))
}

function tooManyCallsError({ name, callsPerStep }: Endpoint): ServiceError {
  const message = `The model ${name} made more than ${callsPerStep} tool calls in one step (limits.callsPerStep).`
  const chinese = `模型 ${name} 一次调用的工具太多了，这次回答停在这里。`
  return new ServiceError('model-refused', message, { translations: { zh: chinese } })
}
