import type { LanguageModelV4Prompt } from '@ai-sdk/provider'

import { CUT_OFF_NOTICE, isServerNote } from '../events/index.ts'
import { FILLER } from './strict-prompts.ts'

/** Whether the answer to the last message has a text already: before its calls, or before it was cut off. */
export function hasSpoken(prompt: LanguageModelV4Prompt): boolean {
  for (const message of prompt.toReversed()) {
    if (message.role !== 'user' && message.role !== 'assistant') continue
    const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    const isNote = texts.some((text) => text === CUT_OFF_NOTICE || isServerNote(text))
    if (message.role === 'user' && !isNote) return false
    if (message.role === 'assistant' && texts.some((text) => text.trim() !== '' && text !== FILLER))
      return true
  }
  return false
}
