import { inEnglish } from '../chart/english-names.ts'
import type { Json } from 'dragoman/events'
import type { Language, Phrase } from '../language.ts'
import { activities, almanacNote, lunarInEnglish } from './almanac-text.ts'
import { readCivilDate } from './civil-date.ts'
import type { DayFound, Reason } from './find-days.ts'
import { longDate, weekdayName } from './almanac-names.ts'

const reasons: Readonly<Record<Reason, Phrase>> = {
  bright: { zh: '黄道日', en: 'a bright-road day (黄道)' },
  duty: { zh: '值日宜开始新事', en: 'its duty favours beginnings' },
  weekend: { zh: '周末好安排', en: 'on a weekend, handy to plan' },
  union: { zh: '与你的生辰相合', en: 'in union with your birth pillars (合)' },
  'duty-against': { zh: '值日偏收敛，传统上少办大事', en: 'its duty favours rest over beginnings' },
  'many-avoided': { zh: '忌的事项偏多', en: 'the almanac lists much to leave for later' },
  'clash-year': { zh: '与你的年支相冲', en: 'clashes with your year of birth (冲)' },
  'clash-day': { zh: '与你的日支相冲', en: 'clashes with your day of birth (冲)' },
}

/** What a list is of. */
type List = {
  readonly activity: string
  readonly from: string
  readonly to: string
  readonly found: number
  readonly personal: boolean
}

type DayOfCard = { readonly [field: string]: Json }

export function dayOfCard(
  { day, suits, for: pros, against, clashes }: DayFound,
  language: Language,
): DayOfCard {
  const reasonTexts = (all: readonly Reason[]): Json => all.map((reason) => reasons[reason][language])
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
  const zh = language === 'zh'
  const reasonTexts = (all: readonly Reason[]): string =>
    all.map((reason) => reasons[reason][language]).join(zh ? '、' : '; ')
  const date = longDate(readCivilDate(day.date, 'date'))[language]
  const name = day.pillars.day.name
  const good = activities(suits, language)
  const head = zh
    ? `${date}（农历${day.lunar}，${name}日）：宜${good}`
    : `${date} (${inEnglish(name)} day, ${lunarInEnglish(day)}): good for ${good}`
  const plus = pros.length > 0 ? `${zh ? '；加分：' : '; for it: '}${reasonTexts(pros)}` : ''
  const minus = against.length > 0 ? `${zh ? '；留意：' : '; mind: '}${reasonTexts(against)}` : ''
  return `${head}${plus}${minus}`
}

export function listText(list: List, best: readonly DayFound[], language: Language): string {
  const { activity, from, to, found, personal } = list
  const zh = language === 'zh'
  const span = zh ? `${from} 到 ${to}` : `${from} to ${to}`
  if (found === 0) {
    return zh
      ? `${span} 之间，黄历上没有标“${activity}”的日子。可以把范围放宽，或者选一个对你方便的日子。\n${almanacNote.zh}`
      : `From ${span} the almanac names no day for ${activity}. Try a longer span, or a day that suits you.\n${almanacNote.en}`
  }
  const rows =
    best.length < found ? (zh ? `，以下是前 ${best.length} 个` : `, the first ${best.length} here`) : ''
  const head = zh
    ? `${span}，黄历上适合“${activity}”的有 ${found} 天${rows}：`
    : `${span}: the almanac has ${found} ${found === 1 ? 'day' : 'days'} for ${activity}${rows}:`
  const own = zh
    ? personal
      ? ''
      : '没有出生信息，所以没有对照你的生辰。'
    : personal
      ? ''
      : 'Without birth data your own pillars were not compared.'
  return [
    head,
    ...best.map((one, index) => `${index + 1}. ${dayLine(one, language)}`),
    ...(own ? [own] : []),
    almanacNote[language],
  ].join('\n')
}
