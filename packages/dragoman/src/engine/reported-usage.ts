import { estimateTokens, readTokens, readUsage, type FinishReason, type Usage } from '../events/index.ts'

/** Tokens of a step as its provider reports them. Whatever their types say, the provider may have sent any value. */
export type ReportedUsage = Readonly<Record<'input' | 'output' | 'reasoning' | 'cached', number | undefined>>

/** The usage of a step. It is estimated from the texts if the provider reported neither number. */
export function toUsage(
  reported: ReportedUsage | undefined,
  texts: () => { input: string; output: string },
): Usage {
  if (readTokens(reported?.input) === undefined && readTokens(reported?.output) === undefined) {
    const { input, output } = texts()
    return { inputTokens: estimateTokens(input), outputTokens: estimateTokens(output), estimated: true }
  }
  return readUsage({
    inputTokens: reported?.input,
    outputTokens: reported?.output,
    reasoningTokens: reported?.reasoning,
    cachedInputTokens: reported?.cached,
  })
}

export function toFinishReason(reason: string): FinishReason {
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
