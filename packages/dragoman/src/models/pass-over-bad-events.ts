import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart
type Endpoint = { readonly name: string; readonly warn: (problem: string) => void }
type ReadPart = () => Promise<Part | undefined>

/**
 * Passes over the events of an answer that a provider's package could not parse. The package itself calls the answer
 * failed then. If it reports the usage, the provider has completed the answer.
 */
export function passOverBadEvents(read: ReadPart, { name, warn }: Endpoint): ReadPart {
  let hasPassedOver = false
  let hasCalls = false
  return async () => {
    for (;;) {
      const part = await read()
      if (part?.type === 'tool-call') hasCalls = true
      if (part?.type === 'finish' && hasPassedOver) return toFinish(part, hasCalls)
      if (part?.type !== 'error' || !isBadEvent(part.error)) return part
      hasPassedOver = true
      warn(`The model ${name} sent an event that its package does not understand.`)
    }
  }
}

function isBadEvent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'AI_TypeValidationError' || error.name === 'AI_JSONParseError'
}

function toFinish(part: Extract<Part, { type: 'finish' }>, hasCalls: boolean): Part {
  const { finishReason, usage } = part
  const isPackagesOwn = finishReason.unified === 'error' && finishReason.raw === undefined
  if (!isPackagesOwn || usage.outputTokens.total === undefined) return part
  return { ...part, finishReason: { unified: hasCalls ? 'tool-calls' : 'stop', raw: undefined } }
}
