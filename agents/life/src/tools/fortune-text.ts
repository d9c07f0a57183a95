import type { Chart } from '../chart/chart.ts'
import type { FortuneMonth, FortuneYear, LuckChange } from '../fortune/fortune-year.ts'
import { areaNames, godThemes, type Area } from '../fortune/fortune-texts.ts'
import type { Language, Phrase } from '../language.ts'
import { notes, relationsText } from './chart-text.ts'
import { line, localTime, nameInBoth, reading } from './text-parts.ts'

export type FortuneTextInput = {
  readonly chart: Chart
  readonly year: FortuneYear
  readonly months: readonly FortuneMonth[]
  /** Years before it, for looking back. */
  readonly past: readonly FortuneYear[]
  readonly zone: string
  readonly language: Language
  /** The areas of life of which something is said. */
  readonly areas: readonly Area[]
}

/** A year in words, with all of its numbers. */
export function fortuneText(input: FortuneTextInput): string {
  const { chart, year, months, past, language, areas } = input
  const pasts = past.map((each) => `${each.year} ${pillarText(each, language)}`)
  return [
    ...yearLines(input),
    line(
      { zh: '各方面（解读，不是预言）', en: 'By area (interpretations, not predictions)' },
      '',
      language,
    ).trim(),
    ...areas.map((area) => `- ${line(areaNames[area], year.themes[area].words[language], language)}`),
    line({ zh: '流月', en: 'Months' }, '', language).trim(),
    ...months.map((month) => `- ${monthText(month, input)}`),
    ...(pasts.length > 0
      ? [line({ zh: '回头看', en: 'Looking back' }, pasts.join(language === 'zh' ? '；' : '; '), language)]
      : []),
    ...notes({ chart, language }),
    reading[language],
  ].join('\n')
}

function yearLines({ year: told, zone, language }: FortuneTextInput): string[] {
  const { year, age, pillar, begins, ends, luck, luckChange, relations, withLuck } = told
  const [from, to] = [localTime(begins.at, zone), localTime(ends, zone)]
  const say = (about: Phrase, value: string): string[] => (value === '' ? [] : [line(about, value, language)])
  const cycle = luck
    ? `${nameInBoth(luck.name, language)} ${nameInBoth(luck.tenGod, language)} ${luck.startYear}–${luck.endYear}`
    : { zh: '不在所列的大运之内', en: 'none yet, or none any more' }[language]
  const change = luckChange ? changeText(luckChange, language) : ''
  return [
    { zh: `${year} 年，流年${pillar.name}`, en: `The year ${year}, ${nameInBoth(pillar.name, language)}` }[
      language
    ],
    {
      zh: `从立春 ${from} 到次年立春 ${to}（${zone}）；公历 ${year} 年内满 ${age} 岁。`,
      en: `From Start of Spring, ${from}, to the next, ${to} (${zone}); age ${age} is reached within the calendar’s ${year}.`,
    }[language],
    ...say({ zh: '十神', en: 'Ten gods' }, pillarText(told, language)),
    godThemes[pillar.tenGod][language],
    ...say({ zh: '大运', en: 'Luck cycle' }, `${cycle}${change}`),
    ...say({ zh: '与命局', en: 'With the chart' }, relationsText(relations, language)),
    ...say({ zh: '与大运', en: 'With the luck cycle' }, relationsText(withLuck, language)),
  ]
}

/**
 * Which cycle holds before the day, too: `luck` is by the table, which goes by whole years. Without an hour the day is
 * a range.
 */
function changeText({ date, from, to, uncertainDays }: LuckChange, language: Language): string {
  const about = uncertainDays
    ? {
        zh: `约 ${date}（前后最多 ${uncertainDays} 天）`,
        en: `about ${date} (up to ${uncertainDays} ${uncertainDays === 1 ? 'day' : 'days'} either side)`,
      }[language]
    : date
  const on = uncertainDays ? about : `on ${about}`
  return from === undefined
    ? { zh: `；${about} 起进入${to}`, en: `; ${nameInBoth(to, language)} begins ${on}` }[language]
    : {
        zh: `；${about} 由${from}进入${to}，此前仍在${from}`,
        en: `; ${nameInBoth(to, language)} begins ${on}, and until then it is still ${nameInBoth(from, language)}`,
      }[language]
}

function pillarText({ pillar }: Pick<FortuneYear, 'pillar'>, language: Language): string {
  const [stem, branch] = [nameInBoth(pillar.tenGod, language), nameInBoth(pillar.branchTenGod, language)]
  return language === 'zh'
    ? `${pillar.name}，天干${pillar.stem}为${stem}，地支${pillar.branch}本气为${branch}`
    : `${nameInBoth(pillar.name, language)}: stem ${stem}, branch ${branch}`
}

function monthText(
  { pillar, begins, relations }: FortuneMonth,
  { zone, language }: FortuneTextInput,
): string {
  const from = localTime(begins.at, zone)
  const met = relationsText(relations, language)
  return language === 'zh'
    ? `${from} ${begins.term}起，${pillar.name}月（${pillar.tenGod}）${met && `：${met}`}`
    : `from ${from} (${nameInBoth(begins.term, language)}): ${nameInBoth(pillar.name, language)}, ${nameInBoth(pillar.tenGod, language)}${met && `: ${met}`}`
}
