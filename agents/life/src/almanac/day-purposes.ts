import { normalForm } from 'dragoman/events'
import { activityInEnglish, activityNames, isVerdict } from './activities.ts'
import type { Phrase } from '../language.ts'
import purposes from './day-purposes.json' with { type: 'json' }

/** What a user needs a day for, and the almanac's activities for it, the closest first. */
export type DayPurpose = { readonly label: Phrase; readonly names: readonly string[] }

/**
 * Finds the purpose that a text names: everyday words first, then the almanac's own names. If the text fits several
 * purposes, the first one counts: to register a marriage is more specific than to marry.
 */
export function dayPurposeOf(words: string): DayPurpose | undefined {
  const text = normalForm(words, 'NFKC').toLowerCase().trim()
  const purpose = purposes.find(({ terms }) => terms.some((term) => contains(text, term)))
  if (purpose) return { label: { zh: purpose.zh, en: purpose.en }, names: purpose.names }
  const names = activityNames.filter(
    (name) => !isVerdict(name) && (text.includes(name) || text === activityInEnglish(name)),
  )
  if (names.length === 0) return undefined
  return { label: { zh: names.join('、'), en: names.map(activityInEnglish).join(', ') }, names }
}

/** For a message that lists what the almanac has days for. */
export const dayPurposeLabels: readonly Phrase[] = purposes

/** Chinese has no gaps between words. In English `cat` is no part of `education`. */
function contains(text: string, term: string): boolean {
  return /^[a-z]/.test(term) ? new RegExp(`\\b${term}\\b`).test(text) : text.includes(term)
}
