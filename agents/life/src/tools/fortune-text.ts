import type { Chart } from '../chart/chart.ts'
import type { FortuneMonth, FortuneYear, LuckChange } from '../fortune/fortune-year.ts'
import { areaNames, godThemes, type Area } from '../fortune/fortune-texts.ts'
import type { Language } from '../language.ts'
import texts from './card-texts.json' with { type: 'json' }
import { notes, relationsText } from './chart-text.ts'
import { localTime, createCardTextWriter, type CardTextWriter } from './card-text-writer.ts'

const { labels } = texts

export type FortuneTextInput = {
  readonly chart: Chart
  readonly year: FortuneYear
  readonly months: readonly FortuneMonth[]
  /** Earlier years, for looking back. */
  readonly past: readonly FortuneYear[]
  readonly zone: string
  readonly language: Language
  /** The areas of life in the text. */
  readonly areas: readonly Area[]
}

/** A year in words, with all of its numbers. */
export function fortuneText({ chart, year, months, past, zone, language, areas }: FortuneTextInput): string {
  const write = createCardTextWriter(language)
  const pastYears = past.map((each) => `${each.year} ${pillarText(each, write)}`)
  return [
    ...yearLines(year, zone, write),
    texts.byArea[language],
    ...areas.map((area) => `- ${write.line(areaNames[area], year.themes[area].words[language])}`),
    texts.months[language],
    ...months.map((month) => `- ${monthText(month, zone, write)}`),
    ...write.lines([[labels.past, write.series(pastYears)]]),
    ...notes(chart, write),
    texts.reading[language],
  ].join('\n')
}

function yearLines(fortune: FortuneYear, zone: string, write: CardTextWriter): string[] {
  const { year, age, pillar, begins, ends, luck, luckChange, relations, withLuck } = fortune
  const [from, to] = [localTime(begins.at, zone), localTime(ends, zone)]
  const cycle = luck
    ? `${write.name(luck.name)} ${write.name(luck.tenGod)} ${luck.startYear}–${luck.endYear}`
    : write.fill(texts.noLuck)
  return [
    write.fill(texts.year, { year, pillar: write.name(pillar.name) }),
    write.fill(texts.yearSpan, { from, to, zone, year, age }),
    write.line(labels.tenGods, pillarText(fortune, write)),
    godThemes[pillar.tenGod][write.language],
    ...write.lines([
      [labels.luckCycle, `${cycle}${luckChange ? changeText(luckChange, write) : ''}`],
      [labels.withChart, relationsText(relations, write)],
      [labels.withLuck, relationsText(withLuck, write)],
    ]),
  ]
}

/** Names the cycle before the day, too: `luck` counts whole years. Without an hour of birth the day is a range. */
function changeText({ date, from, to, uncertainDays: days }: LuckChange, write: CardTextWriter): string {
  const unit = days === 1 ? 'day' : 'days'
  return write.fill(from === undefined ? texts.firstLuck : texts.nextLuck, {
    when: write.fill(days ? texts.changeAbout : texts.changeOn, { date, days: days ?? 0, unit }),
    from: write.name(from ?? ''),
    to: write.name(to),
  })
}

function pillarText({ pillar }: Pick<FortuneYear, 'pillar'>, write: CardTextWriter): string {
  const { stem, branch } = pillar
  return write.fill(texts.yearPillar, {
    pillar: write.name(pillar.name),
    stem,
    branch,
    god: write.name(pillar.tenGod),
    branchGod: write.name(pillar.branchTenGod),
  })
}

function monthText({ pillar, begins, relations }: FortuneMonth, zone: string, write: CardTextWriter): string {
  const text = relationsText(relations, write)
  return write.fill(texts.month, {
    from: localTime(begins.at, zone),
    term: write.name(begins.term),
    pillar: write.name(pillar.name),
    tenGod: write.name(pillar.tenGod),
    relations: text && write.fill(texts.colon) + text,
  })
}
