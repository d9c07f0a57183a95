import type { LanguageModelV4Usage } from '@ai-sdk/provider'

import { readTokens, readUsage, type Usage } from '../events/index.ts'

/** The usage of a call as its provider reports it. Undefined if both numbers are missing. */
export function readModelUsage(usage: LanguageModelV4Usage | undefined): Usage | undefined {
  const { inputTokens: input, outputTokens: output } = usage ?? {}
  if (readTokens(input?.total) === undefined && readTokens(output?.total) === undefined) return undefined
  return readUsage({
    inputTokens: input?.total,
    outputTokens: output?.total,
    cachedInputTokens: input?.cacheRead,
  })
}
