import type { ToolCardProps } from '@dragoman/console/view'

import type { Chart } from '../src/chart/chart.ts'
import { inEnglish } from '../src/chart/english-names.ts'
import { CardText } from './card-text.tsx'
import css from './chart.css?inline'
import { ChartFacts, type Pattern } from './chart-facts.tsx'
import { colors } from './colors.ts'
import { LuckCycles } from './luck-cycles.tsx'
import { Pillars } from './pillars.tsx'
import { nameIn, translatorOf } from './translator.ts'

type ChartOutput = {
  readonly cardType: 'bazi_chart'
  readonly chart: Chart
  readonly pattern?: Pattern
  readonly text: string
}

/** A Four Pillars chart. The card's text says the same, and more. */
export default function ChartCard({ output, language }: ToolCardProps) {
  if (!isChart(output)) return <CardText output={output} />
  const { chart, pattern, text } = output
  const t = translatorOf(language)
  const { dayMaster, luck, warnings } = chart
  return (
    <section className="life-chart" aria-label={text}>
      <style href="life-chart" precedence="low">
        {css}
      </style>
      <header>
        <span className="life-sign" lang="zh" style={{ color: colors[dayMaster.element] }}>
          {dayMaster.stem}
        </span>
        <div>
          <h3>{t('dayMasterIs', { name: dayMasterText(chart, language) })}</h3>
          <p>
            {t('bornAt', { time: chart.clock.said.replace('T', ' ') })} ·{' '}
            {t('zodiac', { animal: nameIn(language, chart.zodiac) })}
            {language === 'zh' && ` · ${chart.lunarDate}`}
          </p>
        </div>
      </header>
      <Pillars chart={chart} language={language} />
      <ChartFacts chart={chart} pattern={pattern} language={language} />
      <h4>{t('elements')}</h4>
      <Elements chart={chart} language={language} />
      <h4>{t('luck')}</h4>
      <LuckCycles cycles={luck.cycles} language={language} />
      {warnings.length > 0 && (
        <details>
          <summary>
            {t('keepInMind')} ({warnings.length})
          </summary>
          <ul>
            {warnings.map(({ code, words }) => (
              <li key={code}>{language === 'zh' ? words.zh : words.en}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function Elements({ chart, language }: { readonly chart: Chart; readonly language: string }) {
  return (
    <dl className="life-elements">
      {Object.entries(chart.elements.weights).map(([element, percent]) => (
        <div key={element}>
          <dt>{nameIn(language, element)}</dt>
          <dd>
            <i style={{ width: `${percent}%`, background: colors[element] }} />
          </dd>
          <dd>{Math.round(percent)}%</dd>
        </div>
      ))}
    </dl>
  )
}

function isChart(output: unknown): output is ChartOutput {
  return (
    typeof output === 'object' && output !== null && 'cardType' in output && output.cardType === 'bazi_chart'
  )
}

/** "Geng (yang metal)". */
function dayMasterText({ dayMaster }: Chart, language: string): string {
  const { stem, polarity, element } = dayMaster
  return language === 'zh' ? `${polarity}${element}` : inEnglish(stem)
}
