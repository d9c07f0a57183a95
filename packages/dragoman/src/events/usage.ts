import type { Usage } from './run-event.ts'

/** No tokens at all. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/** One model call counts at most this many input tokens, and as many output tokens. */
const MAX_CALL_TOKENS = 10_000_000

/**
 * Reads a token count that comes from outside: a whole number from 0 to `max`. Undefined for anything that is not a
 * number.
 */
export function readTokens(value: unknown, max = MAX_CALL_TOKENS): number | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined
  return Math.min(Math.max(Math.round(value), 0), max)
}

type UntrustedUsage = { readonly [Field in keyof Usage]: unknown }

/** Reads a usage that comes from outside. A count that is not a number is 0. */
export function readUsage(usage: UntrustedUsage, max = MAX_CALL_TOKENS): Usage {
  const count = (field: keyof Usage): number => readTokens(usage[field], max) ?? 0
  const reasoning = count('reasoningTokens')
  // A reported zero says that nothing came from the cache; without a report nothing is known.
  const cached = Number(usage.cachedInputTokens) >= 0 ? readTokens(usage.cachedInputTokens, max) : undefined
  return {
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(usage.estimated === true && { estimated: true }),
  }
}

/** The sum of two usages. It is an estimate if either is. */
export function addUsage(a: Usage, b: Usage): Usage {
  const reasoning = (a.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0)
  const isCacheKnown = a.cachedInputTokens !== undefined || b.cachedInputTokens !== undefined
  const cached = (a.cachedInputTokens ?? 0) + (b.cachedInputTokens ?? 0)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
    ...(isCacheKnown && { cachedInputTokens: cached }),
    ...((a.estimated ?? b.estimated) && { estimated: true }),
  }
}

/** Estimates the tokens of a text: four Latin characters each, or one character of a wide script. */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g)?.length ?? 0
  return wide + Math.ceil((text.length - wide) / 4)
}
