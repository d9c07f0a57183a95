import type { ToolResult } from 'dragoman/agents'
import type { Language } from '../language.ts'
import { cardResult } from '../tools/card-result.ts'
import { almanacOf } from './almanac-of.ts'
import { almanacText } from './almanac-text.ts'
import texts from './almanac-texts.json' with { type: 'json' }
import type { CivilDate } from './civil-date.ts'
import { termDescription } from './almanac-names.ts'

/** The almanac of a day. */
export function almanacCard(day: CivilDate, language: Language): ToolResult {
  const almanac = almanacOf(day)
  const card = {
    ...almanac,
    termDescription: termDescription(almanac.term.name, language),
    disclaimer: texts.note[language],
  }
  return cardResult({ status: 'success', cardType: 'almanac_card', ...card }, almanacText(almanac, language))
}
