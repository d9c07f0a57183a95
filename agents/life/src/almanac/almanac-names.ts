import type { Language, Phrase } from '../language.ts'
import names from './almanac-names.json' with { type: 'json' }
import { weekdayOf, type CivilDate } from './civil-date.ts'
import descriptions from './term-descriptions.json' with { type: 'json' }

export type AlmanacNameKind = keyof typeof names

/** Translates names that only the almanac has. `inEnglish` translates stems, branches, animals and terms. */
export function nameIn(language: Language, kind: AlmanacNameKind, name: string): string {
  const table: Readonly<Record<string, string>> = names[kind]
  return language === 'zh' ? name : (table[name] ?? name)
}

/** What happens in nature during a solar term, in one line. */
export function termDescription(term: string, language: Language): string {
  const table: Readonly<Record<string, Phrase>> = descriptions
  return table[term]?.[language] ?? ''
}

const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

export function weekdayName(date: CivilDate): Phrase {
  const weekday = weekdayOf(date)
  return { zh: `星期${'日一二三四五六'[weekday]}`, en: WEEKDAYS[weekday] ?? '' }
}

/** 1月21日, and 21 January. */
export function shortDate({ month, day }: CivilDate): Phrase {
  return { zh: `${month}月${day}日`, en: `${day} ${MONTHS[month - 1] ?? ''}` }
}

/** 2026年1月21日 星期三, and Wednesday, 21 January 2026. */
export function longDate(date: CivilDate): Phrase {
  const short = shortDate(date)
  const weekday = weekdayName(date)
  return {
    zh: `${date.year}年${short.zh} ${weekday.zh}`,
    en: `${weekday.en}, ${short.en} ${date.year}`,
  }
}
