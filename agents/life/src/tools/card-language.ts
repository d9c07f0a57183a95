import type { Json } from 'dragoman/events'
import { readContext } from '../context.ts'
import { languageIn, type Language } from '../language.ts'

/**
 * In which a card is written: the conversation's, else that of the card's own words, and Chinese where nobody has said
 * a word yet.
 */
export function cardLanguage(context: Json, words = ''): Language {
  return readContext(context).language ?? languageIn(words) ?? 'zh'
}
