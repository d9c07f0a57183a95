import type { Usage } from './run-event.ts'

/** No tokens at all. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/** The sum of two usages. It is an estimate if either is. */
export function addUsage(a: Usage, b: Usage): Usage {
  const reasoning = (a.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0)
  const cached = (a.cachedInputTokens ?? 0) + (b.cachedInputTokens ?? 0)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...((a.estimated ?? b.estimated) && { estimated: true }),
  }
}

/** Tokens of a text where nobody counted them: four Latin characters or one of a wide script. */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g)?.length ?? 0
  return wide + Math.ceil((text.length - wide) / 4)
}
