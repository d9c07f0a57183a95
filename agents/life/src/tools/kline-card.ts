import type { ToolResult } from 'dragoman/agents'
import type { Birth } from '../birth/birth.ts'
import type { Chart } from '../chart/chart.ts'
import { chartOf } from '../chart/chart-of.ts'
import { klineOf, type Kline } from '../fortune/kline.ts'
import { scoreMeaning, scoreMethod } from '../fortune/fortune-texts.ts'
import { birthYear } from '../fortune/fortune-year.ts'
import type { Language } from '../language.ts'
import { describeChartAssumptions } from './describe-chart-assumptions.ts'
import { cardResult } from './card-result.ts'
import texts from './card-texts.json' with { type: 'json' }
import { notes } from './chart-text.ts'
import { warningFields } from './warning-fields.ts'
import { createCardTextWriter, type CardTextWriter } from './card-text-writer.ts'

const { labels } = texts
/** The years that the card has by default. */
const DEFAULT_YEARS = 80

type KlineCardInput = {
  readonly birth: Birth
  readonly userId: string
  readonly from: number | undefined
  readonly to: number | undefined
  /** The current year. */
  readonly year: number
  readonly language: Language
}

/** The years of a life, scored. */
export function klineCard({ birth, userId, year, language, ...asked }: KlineCardInput): ToolResult {
  const chart = chartOf(birth)
  const from = asked.from ?? Math.min(birthYear(chart), asked.to ?? Infinity)
  const to = asked.to ?? from + DEFAULT_YEARS - 1
  const kline = klineOf(chart, { from, to })
  return cardResult(
    {
      status: 'success',
      cardType: 'bazi_kline',
      userId,
      startYear: from,
      endYear: to,
      thisYear: year,
      ...kline,
      method: scoreMethod[language],
      meaning: scoreMeaning[language],
      warnings: warningFields(chart, language),
      assumptions: describeChartAssumptions(chart, language),
      note: texts.reading[language],
    },
    klineText(chart, kline, year, createCardTextWriter(language)),
  )
}

function klineText(
  chart: Chart,
  { points, phases, inflections }: Kline,
  year: number,
  write: CardTextWriter,
): string {
  const { language } = write
  const own = points.find((point) => point.year === year)
  const [first = '', last = ''] = [points[0]?.year, points.at(-1)?.year]
  const phaseTexts = phases.map(({ pillar, tenGod, startYear, endYear, score }) => {
    const years = `${startYear}–${endYear}${texts.colon[language]}${score}`
    return `${write.name(pillar)} ${write.name(tenGod)} ${years}`
  })
  const turns = inflections.map(
    (each) => `${each.year} ${texts.inflections[each.kind][language]} ${each.score}`,
  )
  const scores = points.map((point) => `${point.year} ${point.score}`)
  return [
    write.fill(texts.kline, { first, last }),
    scoreMeaning[language],
    ...write.lines([
      [labels.thisYear, own ? `${own.year} ${write.name(own.pillar)} ${own.score}` : ''],
      [labels.meanScores, write.series(phaseTexts)],
      [labels.turningPoints, write.series(turns)],
      [labels.eachYear, scores.join(language === 'zh' ? '，' : ', ')],
      [labels.method, scoreMethod[language]],
    ]),
    ...notes(chart, write),
    texts.reading[language],
  ].join('\n')
}
