import { inEnglish } from '../chart/english-names.ts'
import { fillIn, type Language, type Phrase } from '../language.ts'
import { activityInEnglish } from './activities.ts'
import type { AlmanacDay } from './almanac-day.ts'
import { longDate, nameIn, termDescription, type AlmanacNameKind } from './almanac-names.ts'
import texts from './almanac-texts.json' with { type: 'json' }
import { parseDate } from './civil-date.ts'

/** The almanac of a day in words. */
export function almanacText(day: AlmanacDay, language: Language): string {
  const { pillars, term, nextTerm, clash } = day
  const festivals = day.festivals.map((name) => nameOf('festival', name))
  const values = {
    date: longDate(parseDate(day.date)),
    lunar: lunarText(day),
    festivals: {
      zh: festivals.length > 0 ? `，${festivals.map(({ zh }) => zh).join('、')}` : '',
      en: festivals.map(({ en }) => `, ${en}`).join(''),
    },
    yearPillar: withEnglish(pillars.year.name),
    monthPillar: withEnglish(pillars.month.name),
    dayPillar: withEnglish(pillars.day.name),
    today: term.startsToday ? texts.today : texts.within,
    term: withChinese(term.name),
    description: { zh: termDescription(term.name, 'zh'), en: termDescription(term.name, 'en') },
    nextTerm: withChinese(nextTerm.name),
    nextDate: longDate(parseDate(nextTerm.date)),
    good: activityList(day.good),
    avoid: activityList(day.avoid),
    animal: { zh: clash.animal, en: inEnglish(clash.animal) },
    branch: clash.branch,
    direction: nameOf('direction', clash.direction),
    wealth: nameOf('direction', day.wealthDirection),
    duty: withEnglish(day.duty, nameOf('duty', day.duty).en),
    road: day.bright ? texts.bright : texts.dark,
    mansion: withEnglish(day.mansion, nameOf('mansion', day.mansion).en),
  }
  return [...texts.lines, texts.note].map((line) => fillIn(line, values)[language]).join('\n')
}

/** 宜 or 忌 as a list. */
export function activityList(names: readonly string[]): Phrase {
  if (names.length === 0) return texts.nothing
  return { zh: names.join('、'), en: names.map(activityInEnglish).join(', ') }
}

/** English has no names for lunar months and days, so they are numbers. */
export function lunarText({ lunar, lunarDate: { month, leap, day } }: AlmanacDay): Phrase {
  const year = inEnglish(lunar.slice(0, 2))
  return fillIn(texts.lunar, { lunar, year, leap: leap ? 'leap ' : '', month, day })
}

function nameOf(kind: AlmanacNameKind, name: string): Phrase {
  return { zh: name, en: nameIn('en', kind, name) }
}

/** 庚午, and 庚午 (Geng-Wu). */
function withEnglish(name: string, english = inEnglish(name)): Phrase {
  return { zh: name, en: `${name} (${english})` }
}

/** 大寒, and Major Cold (大寒). */
function withChinese(name: string): Phrase {
  return { zh: name, en: `${inEnglish(name)} (${name})` }
}
