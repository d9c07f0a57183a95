import type { ToolResult } from '../../../agent/index.ts'
import type { Json } from '../../../events/index.ts'

/**
 * What a tool shows: a page knows it by `cardType`, and one that does not know it can read out `text`. `error` says what is lacking, with
 * `needInfo` where a form would give it.
 */
export type Card = {
  readonly status: 'success' | 'collecting' | 'asking' | 'error'
  readonly cardType: string
  readonly [field: string]: Json | undefined
}

/** `text` goes to the model, to readers who see no card, and stands in the card itself. */
export function shown(card: Card, text: string): ToolResult {
  return { output: { ...card, text }, text }
}
