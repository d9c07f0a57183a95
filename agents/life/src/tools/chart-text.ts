import { readBirthDate } from '../birth/birth-date.ts'
import { dateText } from '../birth/birth-text.ts'
import { elements, type Chart, type Pillar, type PillarName, type Relation } from '../chart/chart.ts'
import { ELEMENT_METHOD } from '../chart/elements.ts'
import { inEnglish, inSeason, soundOf } from '../chart/english-names.ts'
import type { Language, Phrase } from '../language.ts'
import { assumptionsOf } from './assumptions.ts'
import type { Pattern } from './pattern.ts'
import { line, joinList, nameInBoth, pillarName, pillarNames, reading } from './text-parts.ts'

export type ChartTextInput = {
  readonly chart: Chart
  readonly pattern: Pattern
  readonly language: Language
  /** Whose it is; the user's own without. */
  readonly name?: string
  /** Whether hidden stems, sounds, stars and the like are told. */
  readonly details: boolean
}

/** A chart in words, with every number that may be spoken of: for a model, and to be read aloud. */
export function chartText(input: ChartTextInput): string {
  return [
    heading(input),
    ...basics(input),
    ...(input.details ? details(input) : []),
    ...luckLines(input),
    ...notes(input),
    reading[input.language],
  ].join('\n')
}

/** Its warnings and by what it was found. */
export function notes({ chart, language }: Pick<ChartTextInput, 'chart' | 'language'>): string[] {
  const warnings = chart.warnings.map(({ words }) => `- ${words[language]}`)
  return [
    ...(warnings.length > 0 ? [{ zh: '要留意的：', en: 'To keep in mind:' }[language], ...warnings] : []),
    { zh: '怎么排的：', en: 'How it was found:' }[language],
    ...assumptionsOf(chart, language).map((sentence) => `- ${sentence}`),
  ]
}

export function birthLine({ birth, clock, lunarDate }: Chart, language: Language): string {
  const value = clock.said.replace('T', ' ')
  const hour = birth.time ? '' : { zh: '（时辰不详）', en: ' (hour unknown)' }[language]
  const gender = { male: { zh: '男', en: 'male' }, female: { zh: '女', en: 'female' } }[birth.gender][
    language
  ]
  const place = birth.place ? [birth.place.name] : []
  return [
    `${value}${hour}`,
    gender,
    ...place,
    { zh: `农历${lunarDate}`, en: lunarInEnglish(lunarDate) }[language],
  ].join(language === 'zh' ? '，' : ', ')
}

/** 一九九〇年四月廿一 by numbers: English has no names for lunar months and days. */
function lunarInEnglish(lunarDate: string): string {
  return dateText(readBirthDate(lunarDate, 'lunar'), 'en')
}

function heading({ chart, language, name }: ChartTextInput): string {
  const title = {
    zh: name ? `${name}的四柱命盘` : '四柱命盘',
    en: name ? `Four Pillars of ${name}` : 'Four Pillars',
  }
  return `${title[language]}\n${line({ zh: '出生', en: 'Born' }, birthLine(chart, language), language)}`
}

function basics({ chart, pattern, language }: ChartTextInput): string[] {
  const { dayMaster, elements: balance, zodiac } = chart
  const say = (about: Phrase, value: string): string => line(about, value, language)
  const { stem, polarity, element } = dayMaster
  const percents = elements.map((each) => `${nameInBoth(each, language)} ${balance.weights[each]}%`)
  const missing = joinList(
    balance.missing.map((each) => nameInBoth(each, language)),
    language,
  )
  return [
    say(
      { zh: '四柱', en: 'Pillars' },
      pillarsOf(chart, language, ({ name }) => nameInBoth(name, language)),
    ),
    say(
      { zh: '日主', en: 'Day master' },
      language === 'zh' ? `${stem}（${polarity}${element}）` : nameInBoth(stem, language),
    ),
    say({ zh: '生肖', en: 'Animal of the year' }, language === 'zh' ? zodiac : inEnglish(zodiac)),
    say(
      { zh: '天干十神', en: 'Ten gods of the stems' },
      pillarsOf(chart, language, ({ tenGod }) => nameInBoth(tenGod, language)),
    ),
    say({ zh: '五行', en: 'Elements' }, joinList(percents, language)),
    ...(missing === '' ? [] : [say({ zh: '干支里没有出现', en: 'Not among stems and branches' }, missing)]),
    say({ zh: '强弱（解读）', en: 'Strength (an interpretation)' }, strength(chart, language)),
    say(
      { zh: '格局（解读）', en: 'Pattern (an interpretation)' },
      language === 'zh'
        ? `${pattern.name}。${pattern.method.zh}`
        : `${pattern.english} (${pattern.name}). ${pattern.method.en}`,
    ),
  ]
}

function strength({ elements: { strength: found } }: Chart, language: Language): string {
  const label = {
    strong: { zh: '身强', en: 'strong' },
    balanced: { zh: '中和', en: 'balanced' },
    weak: { zh: '身弱', en: 'weak' },
  }[found.label][language]
  return language === 'zh'
    ? `${label}，同类（印与比劫）占 ${found.supportPercent}%`
    : `${label}; its own kind and resource are ${found.supportPercent}%`
}

function details({ chart, language }: ChartTextInput): string[] {
  const say = (about: Phrase, value: string): string[] => (value === '' ? [] : [line(about, value, language)])
  const of = (tell: (pillar: Pillar) => string): string => pillarsOf(chart, language, tell)
  const name = (each: string): string => nameInBoth(each, language)
  const { conception, breath, lifePalace, bodyPalace } = chart.origins
  const origins = Object.entries({ 胎元: conception, 胎息: breath, 命宫: lifePalace, 身宫: bodyPalace })
  return [
    ...say(
      { zh: '藏干', en: 'Hidden stems' },
      of(({ hidden }) =>
        joinList(
          hidden.map(({ stem, tenGod }) => `${name(stem)} ${name(tenGod)}`),
          language,
        ),
      ),
    ),
    ...say(
      { zh: '纳音', en: 'Sounds' },
      of((pillar) => name(pillar.sound)),
    ),
    ...say(
      { zh: '星运', en: 'Phases' },
      of(({ phase }) => name(phase)),
    ),
    ...say(
      { zh: '自坐', en: 'Own phases' },
      of(({ ownPhase }) => name(ownPhase)),
    ),
    ...say(
      { zh: '旬空', en: 'Voids' },
      of(({ voids }) => voids.map(name).join(' ')),
    ),
    ...say(
      { zh: '其他', en: 'Further' },
      joinList(
        origins.flatMap(([about, found]) => (found ? [`${name(about)} ${name(found)}`] : [])),
        language,
      ),
    ),
    ...say(
      { zh: '月令旺衰', en: 'In the season' },
      joinList(
        elements.map((each) => `${name(each)} ${season(chart.elements.season[each], language)}`),
        language,
      ),
    ),
    ...say({ zh: '合冲刑害', en: 'Relations' }, relationsText(chart.relations, language)),
    ...say({ zh: '神煞', en: 'Stars' }, starsText(chart, language)),
    ...say({ zh: '五行算法', en: 'How elements are weighed' }, ELEMENT_METHOD[language]),
  ]
}

function season(state: string, language: Language): string {
  return language === 'zh' ? state : `${inSeason(state)} (${state})`
}

/** As 午未地支六合（时柱，属土）, or Wu-Wei (午未) branch union (地支六合) [hour pillar, towards earth (土)]. */
export function relationsText(relations: readonly Relation[], language: Language): string {
  const texts = relations.map(({ kind, of, names, element }) => {
    const where = joinList(
      of.map((pillar) => pillarName(pillar, language)),
      language,
    )
    const whole = signsText(names, kind, language)
    const towards = element
      ? { zh: `，属${element}`, en: `, towards ${nameInBoth(element, language)}` }[language]
      : ''
    const at = where === '' ? '' : `${where}${towards}`
    return language === 'zh' ? `${whole}${at && `（${at}）`}` : `${whole}${at && ` [${at}]`}`
  })
  return texts.join(language === 'zh' ? '；' : '; ')
}

/** Signs and what they are to one another: 午未地支六合, or Wu-Wei (午未) branch union (地支六合). */
export function signsText(names: readonly string[], kind: string, language: Language): string {
  // A year that repeats one of three that gather names no fourth; two of a kind, as 辰辰, are what they are.
  const value = names.length > 2 ? [...new Set(names)] : names
  const signs = value.join('')
  return language === 'zh'
    ? `${signs}${kind}`
    : `${value.map(soundOf).join('-')} (${signs}) ${nameInBoth(kind, language)}`
}

function starsText({ stars }: Chart, language: Language): string {
  const texts = stars.map(({ name, of }) => {
    const where = joinList(
      of.map((pillar) => pillarName(pillar, language)),
      language,
    )
    return language === 'zh' ? `${name}（${where}）` : `${nameInBoth(name, language)}: ${where}`
  })
  return texts.join(language === 'zh' ? '；' : '; ')
}

function luckLines({ chart: { luck }, language }: ChartTextInput): string[] {
  const start = luck.start.replace('T', ' ')
  const about = luck.uncertainDays
  const cycles = luck.cycles.map(({ name, tenGod, startAge, endAge, startYear, endYear }) =>
    language === 'zh'
      ? `${name} ${tenGod} ${startYear}–${endYear}（${startAge}–${endAge} 岁）`
      : `${nameInBoth(name, language)} ${nameInBoth(tenGod, language)} ${startYear}–${endYear} (age ${startAge}–${endAge})`,
  )
  const began =
    language === 'zh'
      ? `${luck.forward ? '顺行' : '逆行'}，${about ? `约 ${start.slice(0, 10)} 起运（前后最多 ${about} 天）` : `${start} 起运`}`
      : `${luck.forward ? 'forward' : 'backward'}, from ${about ? `about ${start.slice(0, 10)} (up to ${about} ${about === 1 ? 'day' : 'days'} either side)` : start}`
  return [
    line(
      { zh: '大运', en: 'Luck cycles' },
      `${began}${language === 'zh' ? '。' : '. '}${cycles.join(language === 'zh' ? '；' : '; ')}`,
      language,
    ),
  ]
}

function pillarsOf({ pillars }: Chart, language: Language, tell: (pillar: Pillar) => string): string {
  const texts = pillarNames.flatMap((at: PillarName) => {
    const pillar = pillars[at]
    return pillar ? [`${pillarName(at, language)} ${tell(pillar)}`] : []
  })
  return texts.join(language === 'zh' ? '，' : '; ')
}
