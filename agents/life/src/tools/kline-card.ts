import type { ToolResult } from 'dragoman/agents'
import type { Birth } from '../birth/birth.ts'
import type { Chart } from '../chart/chart.ts'
import { chartOf } from '../chart/chart-of.ts'
import { klineOf, type Kline, type KlineInflection } from '../fortune/kline.ts'
import { scoreMeaning, scoreMethod } from '../fortune/fortune-texts.ts'
import { birthYear } from '../fortune/fortune-year.ts'
import type { Language, Phrase } from '../language.ts'
import { assumptionsOf } from './assumptions.ts'
import { cardResult } from './card-result.ts'
import { notes } from './chart-text.ts'
import { warningFields } from './warning-fields.ts'
import { line, nameInBoth, reading } from './text-parts.ts'

/** How many years are shown where none are named: a life, as far as most people look. */
const USUAL_YEARS = 80

type KlineCardInput = {
  readonly birth: Birth
  readonly userId: string
  readonly from: number | undefined
  readonly to: number | undefined
  /** The one that it is. */
  readonly year: number
  readonly language: Language
}

/** The years of a life, scored. */
export function klineCard({ birth, userId, year, language, ...asked }: KlineCardInput): ToolResult {
  const chart = chartOf(birth)
  const from = asked.from ?? Math.min(birthYear(chart), asked.to ?? Infinity)
  const to = asked.to ?? from + USUAL_YEARS - 1
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
      assumptions: assumptionsOf(chart, language),
      note: reading[language],
    },
    klineText({ chart, kline, year, language }),
  )
}

type KlineTextInput = Pick<KlineCardInput, 'year' | 'language'> & {
  readonly chart: Chart
  readonly kline: Kline
}

const kinds: Readonly<Record<KlineInflection['kind'], Phrase>> = {
  cycle: { zh: '换大运', en: 'a new luck cycle' },
  peak: { zh: '比前后几年支持多', en: 'more support than the years around it' },
  valley: { zh: '比前后几年挑战多', en: 'more challenge than the years around it' },
}

function klineText({ chart, kline, year: current, language }: KlineTextInput): string {
  const { points, phases, inflections } = kline
  const own = points.find(({ year }) => year === current)
  const [first, last] = [points[0]?.year, points.at(-1)?.year]
  const between = language === 'zh' ? '；' : '; '
  const say = (about: Phrase, value: readonly string[]): string[] =>
    value.length === 0 ? [] : [line(about, value.join(between), language)]
  return [
    { zh: `${first}–${last} 年的人生 K 线`, en: `The years ${first}–${last} as a line` }[language],
    scoreMeaning[language],
    ...say(
      { zh: '今年', en: 'This year' },
      own ? [`${own.year} ${nameInBoth(own.pillar, language)} ${own.score}`] : [],
    ),
    ...say(
      { zh: '大运（平均分）', en: 'Luck cycles (mean score)' },
      phases.map(
        ({ pillar, tenGod, startYear, endYear, score }) =>
          `${nameInBoth(pillar, language)} ${nameInBoth(tenGod, language)} ${startYear}–${endYear}${language === 'zh' ? '：' : ': '}${score}`,
      ),
    ),
    ...say(
      { zh: '转折', en: 'Turning points' },
      inflections.map(({ year, kind, score }) => `${year} ${kinds[kind][language]} ${score}`),
    ),
    line(
      { zh: '每年', en: 'Each year' },
      points.map(({ year, score }) => `${year} ${score}`).join(language === 'zh' ? '，' : ', '),
      language,
    ),
    line({ zh: '算法', en: 'Method' }, scoreMethod[language], language),
    ...notes({ chart, language }),
    reading[language],
  ].join('\n')
}
