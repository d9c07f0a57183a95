import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart

/** Whether a model has said something with the part. */
export function hasContent(part: Part): boolean {
  switch (part.type) {
    case 'stream-start':
    case 'response-metadata':
    case 'text-start':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-end':
    case 'custom':
    case 'ping':
    case 'raw':
    case 'finish':
      return false
    case 'text-delta':
    case 'reasoning-delta':
      return part.delta.trim() !== ''
    default:
      return true
  }
}

/** Whether an answer that holds the part answers: with text, a call, a result, a file or a source. */
export function isAnswer(part: Part | LanguageModelV4Content): boolean {
  switch (part.type) {
    case 'text':
      return part.text.trim() !== ''
    case 'text-delta':
      return part.delta.trim() !== ''
    case 'tool-call':
    case 'tool-result':
    case 'tool-approval-request':
    case 'file':
    case 'source':
      return true
    default:
      return false
  }
}
