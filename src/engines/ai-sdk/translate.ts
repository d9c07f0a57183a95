import type { Experimental_LanguageModelStreamPart } from 'ai'

import type { Json } from '../../events/index.ts'
import type { CallInput } from '../engine.ts'
import type { Step } from '../step.ts'

type Part = Experimental_LanguageModelStreamPart

/** Tells a step what the parts of its stream mean. Outcomes are the host's, whatever the SDK says of them. */
export function taken(step: Step): (part: Part) => void | Promise<void> {
  return (part) => {
    switch (part.type) {
      case 'text-start':
        return step.start('text', part.id, part.providerMetadata)
      case 'text-delta':
        return step.say('text', part.id, part.text, part.providerMetadata)
      case 'text-end':
        return step.end('text', part.id, part.providerMetadata)
      case 'reasoning-start':
        return step.start('reasoning', part.id, part.providerMetadata)
      case 'reasoning-delta':
        return step.say('reasoning', part.id, part.text, part.providerMetadata)
      case 'reasoning-end':
        return step.end('reasoning', part.id, part.providerMetadata)
      case 'tool-input-start':
        return step.startCall(part.id, part.toolName)
      case 'tool-input-delta':
        return step.sayCall(part.id, part.delta)
      case 'tool-call':
        return call(step, part)
      case 'model-call-end':
        return finish(step, part)
      case 'error':
        return isIdle(step, part.error) ? undefined : step.fail(part.error)
      case 'tool-result':
      case 'tool-error':
      case 'tool-approval-request':
      case 'tool-approval-response':
      case 'tool-input-end':
      case 'model-call-start':
      case 'model-call-response-metadata':
      case 'custom':
      case 'source':
      case 'file':
      case 'reasoning-file':
      case 'ping':
      case 'raw':
        return undefined
    }
  }
}

/** A model that calls something where it may not has only said nothing more. The SDK keeps the call to itself. */
function isIdle({ closing }: Step, error: unknown): boolean {
  return closing !== undefined && error instanceof Error && error.name === 'AI_ToolChoiceViolationError'
}

/** Of an invalid call whose input could be parsed we get the value, of another its text. */
function call(step: Step, part: Extract<Part, { type: 'tool-call' }>): void | Promise<void> {
  const { toolCallId, toolName, invalid, providerMetadata } = part
  const value = part.input as Json
  const input = value === '' || (invalid && typeof value === 'string') ? unread(value) : { value }
  return step.call(toolCallId, toolName, input, providerMetadata)
}

/** Nothing at all is an empty object, as it is in a valid call. */
function unread(text: string): CallInput {
  return text.trim() === '' ? { value: {} } : { unreadable: text }
}

function finish(step: Step, end: Extract<Part, { type: 'model-call-end' }>): void {
  const { finishReason, usage } = end
  step.finish(finishReason, {
    input: usage.inputTokens,
    output: usage.outputTokens,
    reasoning: usage.outputTokenDetails.reasoningTokens,
    cached: usage.inputTokenDetails.cacheReadTokens,
  })
}
