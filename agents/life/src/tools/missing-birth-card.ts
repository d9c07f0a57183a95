import type { ToolResult } from 'dragoman/agents'
import type { Language } from '../language.ts'
import { cardResult } from './card-result.ts'
import texts from './card-texts.json' with { type: 'json' }

/** The card in place of a chart if no birth data is known. There is never an example's chart. */
export function missingBirthCard(language: Language): ToolResult {
  const error = texts.missingBirth[language]
  return cardResult(
    { status: 'error', cardType: 'need_info', error, need_info: 'birth', needInfo: 'birth' },
    error,
  )
}
