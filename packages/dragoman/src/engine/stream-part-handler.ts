import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { parseCallInput } from './parse-call-input.ts'
import type { Step } from './step.ts'

type Part = LanguageModelV4StreamPart

/**
 * Passes the parts of a model's stream on to their step. Tool results of a provider are ignored: the host
 * decides outcomes.
 */
export function createStreamPartHandler(step: Step): (part: Part) => void | Promise<void> {
  return (part) => {
    // A model may ignore that it must not call tools.
    if (step.textOnlyReason && part.type.startsWith('tool-')) return undefined
    switch (part.type) {
      case 'text-start':
        return step.start('text', part.id, part.providerMetadata)
      case 'text-delta':
        return step.delta('text', part.id, part.delta, part.providerMetadata)
      case 'text-end':
        return step.end('text', part.id, part.providerMetadata)
      case 'reasoning-start':
        return step.start('reasoning', part.id, part.providerMetadata)
      case 'reasoning-delta':
        return step.delta('reasoning', part.id, part.delta, part.providerMetadata)
      case 'reasoning-end':
        return step.end('reasoning', part.id, part.providerMetadata)
      case 'tool-input-start':
        return step.startCall(part.id, part.toolName)
      case 'tool-input-delta':
        return step.callDelta(part.id, part.delta)
      case 'tool-call':
        return step.call(part.toolCallId, part.toolName, parseCallInput(part.input), part.providerMetadata)
      case 'finish':
        return step.finish(part.finishReason.unified, {
          input: part.usage.inputTokens.total,
          output: part.usage.outputTokens.total,
          reasoning: part.usage.outputTokens.reasoning,
          cached: part.usage.inputTokens.cacheRead,
        })
      case 'error':
        return step.fail(part.error)
      case 'stream-start':
      case 'response-metadata':
      case 'tool-input-end':
      case 'tool-result':
      case 'tool-approval-request':
      case 'source':
      case 'file':
      case 'reasoning-file':
      case 'custom':
      case 'ping':
      case 'raw':
        return undefined
    }
  }
}
