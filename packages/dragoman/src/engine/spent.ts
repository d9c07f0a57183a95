import { estimateTokens, readTokens, readUsage, type FinishReason, type Usage } from '../events/index.ts'

/** Tokens of a step as its provider reports them. Whatever their types say, the provider may have sent any value. */
export type Spent = Readonly<Record<'input' | 'output' | 'reasoning' | 'cached', number | undefined>>

/** What a step used. It is estimated from the words if the provider reported neither number. */
export function usageOf(spent: Spent | undefined, words: () => { asked: string; said: string }): Usage {
  if (readTokens(spent?.input) === undefined && readTokens(spent?.output) === undefined) {
    const { asked, said } = words()
    return { inputTokens: estimateTokens(asked), outputTokens: estimateTokens(said), estimated: true }
  }
  return readUsage({
    inputTokens: spent?.input,
    outputTokens: spent?.output,
    reasoningTokens: spent?.reasoning,
    cachedInputTokens: spent?.cached,
  })
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
