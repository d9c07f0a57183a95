import type { ToolResult } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import { elementMethod } from '../chart/element-balance.ts'
import type { Birth } from '../birth/birth.ts'
import type { Chart, Pillar } from '../chart/chart.ts'
import { chartOf } from '../chart/chart-of.ts'
import { describeChartAssumptions } from './describe-chart-assumptions.ts'
import { cardResult } from './card-result.ts'
import { chartText, type ChartTextInput } from './chart-text.ts'
import { findChartPattern } from './chart-pattern.ts'
import texts from './card-texts.json' with { type: 'json' }
import { pillarNames } from './card-text-writer.ts'
import { warningFields } from './warning-fields.ts'

type ChartCardInput = Omit<ChartTextInput, 'chart' | 'pattern'> & {
  readonly birth: Birth
  readonly userId: string
  /** What else the card says, with a sentence of it before the chart. */
  readonly kept?: { readonly fields: Readonly<Record<string, Json>>; readonly words?: string }
}

/** The whole chart, and its parts under the names that earlier pages read. */
export function chartCard({ birth, userId, kept, ...told }: ChartCardInput): ToolResult {
  const { language, name, details } = told
  const chart = chartOf(birth)
  const pattern = findChartPattern(chart)
  const text = chartText({ ...told, chart, pattern })
  return cardResult(
    {
      status: 'success',
      cardType: 'bazi_chart',
      ...kept?.fields,
      ...(name !== undefined && { name }),
      userId,
      showDetails: details,
      ...partsOf(chart),
      fiveElements: {
        ...chart.elements,
        method: elementMethod[language],
      },
      pattern: {
        name: pattern.name,
        english: pattern.english,
        by: pattern.by,
        isInterpretation: true,
        method: pattern.method[language],
      },
      warnings: warningFields(chart, language),
      assumptions: describeChartAssumptions(chart, language),
      note: texts.reading[language],
      chart,
    },
    kept?.words === undefined ? text : `${kept.words}\n${text}`,
  )
}

/** An hour that is not known is `null`. */
export function partsOf({ birth, clock, pillars, dayMaster }: Chart) {
  const each = <T extends Json>(tell: (pillar: Pillar) => T): Record<string, T | null> =>
    Object.fromEntries(
      pillarNames.map((at) => {
        const pillar = pillars[at]
        return [at, pillar ? tell(pillar) : null]
      }),
    )
  const [date = '', time = null] = clock.said.split('T')
  return {
    birthInfo: { date, time, gender: birth.gender, place: birth.place?.name ?? null },
    fourPillars: each(({ name, stem, branch }) => ({ name, stem, branch })),
    dayMaster,
    tenGods: each(({ tenGod }) => tenGod),
  }
}
