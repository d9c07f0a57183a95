import { parseBirthDate } from '../birth/parse-birth-date.ts'
import { dateText } from '../birth/birth-text.ts'
import { elements, type Chart, type Pillar, type Relation } from '../chart/chart.ts'
import { elementMethod } from '../chart/element-balance.ts'
import { inEnglish, inSeason, soundOf } from '../chart/english-names.ts'
import type { Language } from '../language.ts'
import { describeChartAssumptions } from './describe-chart-assumptions.ts'
import texts from './card-texts.json' with { type: 'json' }
import type { ChartPattern } from './chart-pattern.ts'
import { pillarNames, createCardTextWriter, type Row, type CardTextWriter } from './card-text-writer.ts'

const { labels } = texts

export type ChartTextInput = {
  readonly chart: Chart
  readonly pattern: ChartPattern
  readonly language: Language
  /** The name of another person. Absent for the user's own chart. */
  readonly name?: string
  /** Whether the text has hidden stems, sounds, stars and the like. */
  readonly details: boolean
}

/** A chart in words, with all numbers that the model may use. */
export function chartText({ chart, pattern, language, name, details }: ChartTextInput): string {
  const write = createCardTextWriter(language)
  return [
    name ? write.fill(texts.chartOf, { name }) : texts.chart[language],
    ...write.lines([
      [labels.born, birthLine(chart, write)],
      ...basicRows(chart, pattern, write),
      ...(details ? detailRows(chart, write) : []),
      [labels.luckCycles, luckText(chart, write)],
    ]),
    ...notes(chart, write),
    texts.reading[language],
  ].join('\n')
}

/** The warnings and the assumptions. */
export function notes(chart: Chart, { language }: CardTextWriter): string[] {
  const warnings = chart.warnings.map(({ words }) => `- ${words[language]}`)
  return [
    ...(warnings.length > 0 ? [texts.keepInMind[language], ...warnings] : []),
    texts.howFound[language],
    ...describeChartAssumptions(chart, language).map((sentence) => `- ${sentence}`),
  ]
}

export function birthLine({ birth, clock, lunarDate }: Chart, { language }: CardTextWriter): string {
  const isChinese = language === 'zh'
  return [
    `${clock.said.replace('T', ' ')}${birth.time ? '' : texts.unknownHour[language]}`,
    texts[birth.gender][language],
    ...(birth.place ? [birth.place.name] : []),
    // English has no names for lunar months and days, so they are numbers.
    isChinese ? `农历${lunarDate}` : dateText(parseBirthDate(lunarDate, 'lunar'), 'en'),
  ].join(isChinese ? '，' : ', ')
}

function basicRows(chart: Chart, { name, english, method }: ChartPattern, write: CardTextWriter): Row[] {
  const { stem, polarity, element } = chart.dayMaster
  const { weights, missing, strength } = chart.elements
  const isChinese = write.language === 'zh'
  return [
    [labels.pillars, pillarsText(chart, write, (pillar) => write.name(pillar.name))],
    [labels.dayMaster, isChinese ? `${stem}（${polarity}${element}）` : write.name(stem)],
    [labels.animal, isChinese ? chart.zodiac : inEnglish(chart.zodiac)],
    [labels.tenGodsOfStems, pillarsText(chart, write, ({ tenGod }) => write.name(tenGod))],
    [labels.elements, write.list(elements.map((each) => `${write.name(each)} ${weights[each]}%`))],
    [labels.missing, write.list(missing.map(write.name))],
    [labels.strength, write.fill(texts.strength[strength.label], { percent: strength.supportPercent })],
    [labels.pattern, write.fill(texts.pattern, { name, english, method })],
  ]
}

function detailRows(chart: Chart, write: CardTextWriter): Row[] {
  const { conception, breath, lifePalace, bodyPalace } = chart.origins
  const origins = Object.entries({ 胎元: conception, 胎息: breath, 命宫: lifePalace, 身宫: bodyPalace })
  const season = (state: string): string =>
    write.language === 'zh' ? state : `${inSeason(state)} (${state})`
  const hiddenStems = ({ hidden }: Pillar): string =>
    write.list(hidden.map(({ stem, tenGod }) => `${write.name(stem)} ${write.name(tenGod)}`))
  return [
    [labels.hiddenStems, pillarsText(chart, write, hiddenStems)],
    [labels.sounds, pillarsText(chart, write, ({ sound }) => write.name(sound))],
    [labels.phases, pillarsText(chart, write, ({ phase }) => write.name(phase))],
    [labels.ownPhases, pillarsText(chart, write, ({ ownPhase }) => write.name(ownPhase))],
    [labels.voids, pillarsText(chart, write, ({ voids }) => voids.map(write.name).join(' '))],
    [
      labels.origins,
      write.list(origins.flatMap(([name, of]) => (of ? [`${write.name(name)} ${write.name(of)}`] : []))),
    ],
    [
      labels.season,
      write.list(elements.map((each) => `${write.name(each)} ${season(chart.elements.season[each])}`)),
    ],
    [labels.relations, relationsText(chart.relations, write)],
    [labels.stars, starsText(chart, write)],
    [labels.elementMethod, elementMethod[write.language]],
  ]
}

/** As 午未地支六合（时柱，属土）, or Wu-Wei (午未) branch union (地支六合) [hour pillar, towards earth (土)]. */
export function relationsText(relations: readonly Relation[], write: CardTextWriter): string {
  const each = relations.map(({ kind, of, names, element }) => {
    const signs = signsText(names, kind, write)
    if (of.length === 0) return signs
    const where = write.list(of.map(write.pillar)) + towardsText(element, write)
    return write.language === 'zh' ? `${signs}（${where}）` : `${signs} [${where}]`
  })
  return write.series(each)
}

/** The element that a union tends to. */
export function towardsText(element: string | undefined, write: CardTextWriter): string {
  return element ? write.fill(texts.towards, { element: write.name(element) }) : ''
}

/** Signs and their relation: 午未地支六合, or Wu-Wei (午未) branch union (地支六合). */
export function signsText(names: readonly string[], kind: string, write: CardTextWriter): string {
  // A year may repeat one of three branches; two equal ones, as 辰辰, are a relation of their own.
  const distinct = names.length > 2 ? [...new Set(names)] : names
  const signs = distinct.join('')
  return write.language === 'zh'
    ? `${signs}${kind}`
    : `${distinct.map(soundOf).join('-')} (${signs}) ${write.name(kind)}`
}

function starsText({ stars }: Chart, write: CardTextWriter): string {
  const each = stars.map(({ name, of }) => {
    const where = write.list(of.map(write.pillar))
    return write.language === 'zh' ? `${name}（${where}）` : `${write.name(name)}: ${where}`
  })
  return write.series(each)
}

function luckText({ luck }: Chart, write: CardTextWriter): string {
  const start = luck.start.replace('T', ' ')
  const days = luck.uncertainDays
  const cycles = luck.cycles.map(({ name, tenGod, startAge, endAge, startYear, endYear }) =>
    write.fill(texts.luckCycle, {
      name: write.name(name),
      tenGod: write.name(tenGod),
      years: `${startYear}–${endYear}`,
      ages: `${startAge}–${endAge}`,
    }),
  )
  return write.fill(days ? texts.luckAbout : texts.luckStart, {
    direction: luck.forward ? texts.forward : texts.backward,
    start,
    day: start.slice(0, 10),
    days: days ?? 0,
    unit: days === 1 ? 'day' : 'days',
    cycles: write.series(cycles),
  })
}

function pillarsText(
  { pillars }: Chart,
  write: CardTextWriter,
  describe: (pillar: Pillar) => string,
): string {
  const each = pillarNames.flatMap((at) => {
    const pillar = pillars[at]
    return pillar ? [`${write.pillar(at)} ${describe(pillar)}`] : []
  })
  return each.join(write.language === 'zh' ? '，' : '; ')
}
