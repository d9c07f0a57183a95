import { addUsage, noUsage, type Usage } from 'dragoman/events'
import type { EncoderMemory } from './encoder-memory.ts'
import type { TokenUsage } from './wire.ts'

/** Counts a step's usage as its model's, until it is reported. */
export function addStepUsage({ model, usageByModel }: EncoderMemory, usage: Usage): void {
  usageByModel.set(model, addUsage(usageByModel.get(model) ?? noUsage, usage))
}

/**
 * What the client has not been sent, by model. What belongs to no step has no model. `total` is that of our run so
 * far.
 */
export function takeUsage(memory: EncoderMemory, total: Usage): TokenUsage[] {
  const { usageByModel, reportedUsage } = memory
  const steps = [...usageByModel.values()].reduce(addUsage, noUsage)
  const rest = difference(difference(total, reportedUsage), steps)
  const usage = [...usageByModel].map(([model, used]) => toTokenUsage(used, model))
  memory.reportedUsage = total
  usageByModel.clear()
  return isNothing(rest) && usage.length > 0 ? usage : [...usage, toTokenUsage(rest)]
}

/** A model's name starts with that of its provider: `openai:gpt-5`, or `openrouter/meta/llama`. */
export function toTokenUsage(
  { inputTokens, outputTokens, reasoningTokens, cachedInputTokens }: Usage,
  name = '',
): TokenUsage {
  const end = name.search(/[:/]/)
  const model = name.slice(end + 1)
  return {
    ...(end > 0 && { provider: name.slice(0, end) }),
    ...(model !== '' && { model }),
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
  }
}

function isNothing({
  inputTokens,
  outputTokens,
  reasoningTokens = 0,
  cachedInputTokens = 0,
}: Usage): boolean {
  return inputTokens + outputTokens + reasoningTokens + cachedInputTokens === 0
}

function difference(total: Usage, before: Usage): Usage {
  const of = (field: 'inputTokens' | 'outputTokens' | 'reasoningTokens' | 'cachedInputTokens'): number =>
    Math.max(0, (total[field] ?? 0) - (before[field] ?? 0))
  return {
    inputTokens: of('inputTokens'),
    outputTokens: of('outputTokens'),
    ...(total.reasoningTokens !== undefined && { reasoningTokens: of('reasoningTokens') }),
    ...(total.cachedInputTokens !== undefined && { cachedInputTokens: of('cachedInputTokens') }),
  }
}
