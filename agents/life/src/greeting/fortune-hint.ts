import { activityInEnglish, isEveryday, NOTHING_SUITS } from '../almanac/activities.ts'
import type { AlmanacDay } from '../almanac/almanac-day.ts'
import type { Language } from '../language.ts'
import texts from './greeting-texts.json' with { type: 'json' }

/** The maximum length of the fortune hint and the action tip. Clients rely on it. */
export const MAX_HINT_LENGTH = 50

const MAX_ACTIVITIES = 4
const SEPARATOR = ' | '
const MAX_SIDE_LENGTH = Math.floor((MAX_HINT_LENGTH - SEPARATOR.length) / 2)

/** 宜: … | 忌: …, with as many whole names as fit. Only everyday activities: no graves, no sickness. */
export function fortuneHint({ good, avoid }: AlmanacDay, language: Language): string {
  if ([...good, ...avoid].includes(NOTHING_SUITS)) return texts.quiet[language]
  const sides = [side(texts.good[language], good, language), side(texts.avoid[language], avoid, language)]
  return sides.filter((one) => one !== '').join(SEPARATOR) || texts.quiet[language]
}

function side(label: string, names: readonly string[], language: Language): string {
  const comma = language === 'zh' ? '、' : ', '
  const activities: string[] = []
  for (const name of names.filter(isEveryday)) {
    const longer = [...activities, language === 'zh' ? name : activityInEnglish(name)]
    if (longer.length > MAX_ACTIVITIES || (label + longer.join(comma)).length > MAX_SIDE_LENGTH) continue
    activities.push(...longer.slice(-1))
  }
  return activities.length > 0 ? label + activities.join(comma) : ''
}
