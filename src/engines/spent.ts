import { estimateTokens, type FinishReason, type Usage } from '../events/index.ts'

/** Tokens of a step, as far as its provider counted them. */
export type Spent = Readonly<Record<'input' | 'output' | 'reasoning' | 'cached', number | undefined>>

/** Estimated from the words where the provider did not count at all. */
export function usageOf(spent: Spent | undefined, words: () => { asked: string; said: string }): Usage {
  if (spent?.input === undefined && spent?.output === undefined) {
    const { asked, said } = words()
    return { inputTokens: estimateTokens(asked), outputTokens: estimateTokens(said), estimated: true }
  }
  return {
    inputTokens: spent.input ?? 0,
    outputTokens: spent.output ?? 0,
    ...(spent.reasoning && { reasoningTokens: spent.reasoning }),
    ...(spent.cached && { cachedInputTokens: spent.cached }),
  }
}

export function reasonOf(reason: string): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'tool-calls':
    case 'content-filter':
      return reason
    default:
      return 'other'
  }
}
