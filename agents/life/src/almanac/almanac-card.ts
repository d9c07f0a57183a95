import type { ToolResult } from 'dragoman/agents'
import type { Language } from '../language.ts'
import { shown } from '../tools/card.ts'
import { almanacOf } from './almanac-of.ts'
import { almanacNote, almanacText } from './almanac-text.ts'
import type { CivilDate } from './civil-date.ts'
import { termDescriptions } from './terms.ts'

/** A day of the almanac. */
export function almanacCard(day: CivilDate, language: Language): ToolResult {
  const almanac = almanacOf(day)
  const card = {
    ...almanac,
    termDescription: termDescriptions[almanac.term.name]?.[language],
    disclaimer: almanacNote[language],
  }
  return shown({ status: 'success', cardType: 'almanac_card', ...card }, almanacText(almanac, language))
}
