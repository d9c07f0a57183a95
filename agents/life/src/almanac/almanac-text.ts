import { inEnglish } from '../chart/english-names.ts'
import type { Language, Phrase } from '../language.ts'
import { activityInEnglish } from './activities.ts'
import type { AlmanacDay } from './almanac-day.ts'
import { parseDate } from './civil-date.ts'
import { longDate, nameIn, termDescription } from './almanac-names.ts'

/** Beside every card of the almanac. */
export const almanacNote: Phrase = {
  zh: '黄历是传统文化，供参考和自省，不是科学结论；怎么安排，你说了算。',
  en: 'The almanac is tradition, for reflection and not science; how you plan your day is up to you.',
}

const comma: Phrase = { zh: '、', en: ', ' }

/** The almanac of a day as a reader of the language is told it, line by line. */
export function almanacText(day: AlmanacDay, language: Language): string {
  const lines = language === 'zh' ? inChinese(day) : inEnglishWords(day)
  return [...lines, almanacNote[language]].join('\n')
}

/** 宜 or 忌 in the language. */
export function activities(names: readonly string[], language: Language): string {
  if (names.length === 0) return language === 'zh' ? '无' : 'nothing named'
  return names.map((name) => (language === 'zh' ? name : activityInEnglish(name))).join(comma[language])
}

function inChinese(day: AlmanacDay): string[] {
  const { pillars, term, nextTerm, clash } = day
  const festivals = day.festivals.length > 0 ? `，${day.festivals.join('、')}` : ''
  const next = `下一个节气是${nextTerm.name}，${longDate(parseDate(nextTerm.date)).zh}`
  return [
    `${longDate(parseDate(day.date)).zh}，农历${day.lunar}${festivals}`,
    `${pillars.year.name}年 ${pillars.month.name}月 ${pillars.day.name}日`,
    `节气：${term.startsToday ? `今日${term.name}` : term.name}，${termDescription(term.name, 'zh')}${next}`,
    `宜：${activities(day.good, 'zh')}`,
    `忌：${activities(day.avoid, 'zh')}`,
    `冲${clash.animal}（${clash.branch}），煞${clash.direction}；财神方位：${day.wealthDirection}`,
    `值日：${day.duty}（建除十二值），${day.bright ? '黄道' : '黑道'}；星宿：${day.mansion}`,
  ]
}

function inEnglishWords(day: AlmanacDay): string[] {
  const { pillars, term, nextTerm, clash } = day
  const festivals = day.festivals.map((name) => `, ${nameIn('en', 'festival', name)}`).join('')
  const pillar = ({ name }: { readonly name: string }): string => `${name} (${inEnglish(name)})`
  const began = term.startsToday ? 'is today' : 'is the solar term'
  const next = `Next: ${inEnglish(nextTerm.name)} (${nextTerm.name}), ${longDate(parseDate(nextTerm.date)).en}`
  const direction = (name: string): string => nameIn('en', 'direction', name)
  return [
    `${longDate(parseDate(day.date)).en}; ${lunarInEnglish(day)}${festivals}`,
    `Year ${pillar(pillars.year)}, month ${pillar(pillars.month)}, day ${pillar(pillars.day)}`,
    `${inEnglish(term.name)} (${term.name}) ${began}: ${termDescription(term.name, 'en')} ${next}`,
    `Good for (宜): ${activities(day.good, 'en')}`,
    `Less suited to (忌): ${activities(day.avoid, 'en')}`,
    `Clashes with (冲) the ${inEnglish(clash.animal)}, direction (煞) ${direction(clash.direction)}; god of wealth in the ${direction(day.wealthDirection)}`,
    `Duty of the day: ${day.duty} (${nameIn('en', 'duty', day.duty)}), ${day.bright ? 'bright road (黄道)' : 'dark road (黑道)'}; mansion ${day.mansion} (${nameIn('en', 'mansion', day.mansion)})`,
  ]
}

/** By numbers: English has no names for lunar months and days. */
export function lunarInEnglish({ lunar, lunarDate: { month, leap, day } }: AlmanacDay): string {
  return `lunar year ${inEnglish(lunar.slice(0, 2))}, ${leap ? 'leap ' : ''}month ${month}, day ${day}`
}
