import type { ToolResult } from 'dragoman/agents'
import type { Language } from '../language.ts'
import { cardResult } from './card-result.ts'
import texts from './card-texts.json' with { type: 'json' }

/** In place of a card that rests on a chart, where there is none: never an example's. */
export function missingBirth(language: Language): ToolResult {
  const error = texts.missingBirth[language]
  return cardResult(
    { status: 'error', cardType: 'need_info', error, need_info: 'birth', needInfo: 'birth' },
    error,
  )
}
