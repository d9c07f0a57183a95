import { inEnglish } from '../chart/english-names.ts'
import type { Json } from 'dragoman/events'
import { fillIn, type Language } from '../language.ts'
import { activityList, lunarText } from './almanac-text.ts'
import texts from './almanac-texts.json' with { type: 'json' }
import { readCivilDate } from './civil-date.ts'
import type { DayFound, Reason } from './find-days.ts'
import { longDate, weekdayName } from './almanac-names.ts'

/** The search that a list answers. */
type List = {
  readonly activity: string
  readonly from: string
  readonly to: string
  readonly found: number
  readonly personal: boolean
}

/** The fields of a day in a card. */
export function dayFields({ day, suits, for: pros, against, clashes }: DayFound, language: Language) {
  const reasonTexts = (reasons: readonly Reason[]): Json =>
    reasons.map((reason) => texts.reasons[reason][language])
  return {
    date: day.date,
    weekday: weekdayName(readCivilDate(day.date, 'date'))[language],
    lunar: day.lunar,
    pillar: day.pillars.day.name,
    suits: [...suits],
    for: reasonTexts(pros),
    against: reasonTexts(against),
    clashes,
  }
}

/** One day in a line. */
export function dayLine({ day, suits, for: pros, against }: DayFound, language: Language): string {
  const reasonText = (reasons: readonly Reason[], template: 'pros' | 'cons'): string => {
    if (reasons.length === 0) return ''
    const each = reasons.map((reason) => texts.reasons[reason][language])
    return fillIn(texts[template], { reasons: each.join(language === 'zh' ? '、' : '; ') })[language]
  }
  const { name } = day.pillars.day
  return fillIn(texts.day, {
    date: longDate(readCivilDate(day.date, 'date')),
    lunar: lunarText(day),
    pillar: { zh: name, en: inEnglish(name) },
    good: activityList(suits),
    pros: reasonText(pros, 'pros'),
    cons: reasonText(against, 'cons'),
  })[language]
}

export function listText(list: List, best: readonly DayFound[], language: Language): string {
  const { found, personal } = list
  const { activity, from, to } = list
  if (found === 0) return `${fillIn(texts.noDays, { activity, from, to })[language]}\n${texts.note[language]}`
  const count = best.length
  const part = count < found ? fillIn(texts.firstDays, { count }) : ''
  const unit = found === 1 ? 'day' : 'days'
  return [
    fillIn(texts.days, { activity, from, to, found, unit, part })[language],
    ...best.map((one, index) => `${index + 1}. ${dayLine(one, language)}`),
    ...(personal ? [] : [texts.impersonal[language]]),
    texts.note[language],
  ].join('\n')
}
