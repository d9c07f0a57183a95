import type { Language, Phrase } from '../language.ts'
import { weekdayOf, type CivilDate } from './civil-date.ts'

/** English words for what the almanac alone names; those of stems, branches, animals and terms are the chart's. */

const duties: Readonly<Record<string, string>> = {
  建: 'Establish',
  除: 'Clear',
  满: 'Full',
  平: 'Balance',
  定: 'Settle',
  执: 'Hold',
  破: 'Break',
  危: 'Caution',
  成: 'Accomplish',
  收: 'Gather',
  开: 'Open',
  闭: 'Close',
}

const mansions: Readonly<Record<string, string>> = {
  角: 'Horn',
  亢: 'Neck',
  氐: 'Root',
  房: 'Room',
  心: 'Heart',
  尾: 'Tail',
  箕: 'Winnowing Basket',
  斗: 'Dipper',
  牛: 'Ox',
  女: 'Girl',
  虚: 'Emptiness',
  危: 'Rooftop',
  室: 'Encampment',
  壁: 'Wall',
  奎: 'Legs',
  娄: 'Bond',
  胃: 'Stomach',
  昴: 'Hairy Head',
  毕: 'Net',
  觜: 'Turtle Beak',
  参: 'Three Stars',
  井: 'Well',
  鬼: 'Ghost',
  柳: 'Willow',
  星: 'Star',
  张: 'Extended Net',
  翼: 'Wings',
  轸: 'Chariot',
}

const directions: Readonly<Record<string, string>> = {
  北: 'north',
  东北: 'northeast',
  东: 'east',
  东南: 'southeast',
  南: 'south',
  西南: 'southwest',
  西: 'west',
  西北: 'northwest',
  中: 'the centre',
}

const festivals: Readonly<Record<string, string>> = {
  春节: 'Chinese New Year',
  元宵节: 'the Lantern Festival',
  龙头节: 'the Dragon Raising its Head',
  上巳节: 'the Double Third Festival',
  清明节: 'the Qingming Festival',
  端午节: 'the Dragon Boat Festival',
  七夕节: 'the Qixi Festival',
  中元节: 'the Zhongyuan Festival',
  中秋节: 'the Mid-Autumn Festival',
  重阳节: 'the Double Ninth Festival',
  冬至节: 'the Winter Solstice Festival',
  腊八节: 'the Laba Festival',
  除夕: 'Chinese New Year’s Eve',
  元旦: 'New Year’s Day',
  妇女节: 'Women’s Day',
  植树节: 'China’s Arbor Day',
  劳动节: 'Labour Day',
  青年节: 'China’s Youth Day',
  儿童节: 'Children’s Day',
  建党节: 'the founding day of the Chinese Communist Party',
  建军节: 'the founding day of China’s army',
  教师节: 'China’s Teachers’ Day',
  国庆节: 'China’s National Day',
}

const tables = {
  duty: duties,
  mansion: mansions,
  direction: directions,
  festival: festivals,
}

/** What of the almanac is named. */
export type AlmanacNameKind = keyof typeof tables

export function nameIn(language: Language, kind: AlmanacNameKind, name: string): string {
  return language === 'zh' ? name : (tables[kind][name] ?? name)
}

const weekdays: Readonly<Record<Language, readonly string[]>> = {
  zh: ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六'],
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
}

const months = 'January February March April May June July August September October November December'
const monthNames: readonly string[] = months.split(' ')

export function weekdayName(date: CivilDate): Phrase {
  const at = weekdayOf(date)
  return { zh: weekdays.zh[at] ?? '', en: weekdays.en[at] ?? '' }
}

/** 1月21日, and 21 January. */
export function shortDate({ month, day }: CivilDate): Phrase {
  return { zh: `${month}月${day}日`, en: `${day} ${monthNames[month - 1] ?? ''}` }
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
