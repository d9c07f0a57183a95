import type { Chart } from '../src/chart/chart.ts'
import { currentCycle } from './luck-cycles.tsx'
import { nameIn, translatorOf } from './translator.ts'

export type Pattern = { readonly name: string; readonly english: string }

type ChartFactsProps = {
  readonly chart: Chart
  readonly pattern: Pattern | undefined
  readonly language: string
}

/** What is read from the pillars, in words: strength, pattern, the present luck cycle, stars. */
export function ChartFacts({ chart, pattern, language }: ChartFactsProps) {
  const t = translatorOf(language)
  const { elements, luck, stars } = chart
  const cycle = currentCycle(luck.cycles)
  const facts = [
    [t('chart.strength'), t(`strength.${elements.strength.label}`)],
    [t('chart.pattern'), pattern && (language === 'zh' ? pattern.name : pattern.english)],
    [
      t('chart.luckNow'),
      cycle &&
        `${nameIn(language, cycle.name)} · ${nameIn(language, cycle.tenGod)} · ${cycle.startYear}–${cycle.endYear}`,
    ],
    [t('chart.stars'), stars.map(({ name }) => nameIn(language, name)).join(language === 'zh' ? '、' : ', ')],
  ] as const
  return (
    <dl className="life-facts">
      {facts.map(
        ([label, value]) =>
          value !== undefined &&
          value !== '' && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
