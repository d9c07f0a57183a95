import type { ToolCardProps } from '@dragoman/console/view'

import type { Chart } from '../src/chart/chart.ts'
import { inEnglish } from '../src/chart/english-names.ts'
import { CardText } from './card-text.tsx'
import css from './chart.css?inline'
import { colors } from './colors.ts'
import { LuckCycles } from './luck-cycles.tsx'
import { Pillars } from './pillars.tsx'
import { nameIn, textsIn } from './texts.ts'

type ChartOutput = { readonly cardType: 'bazi_chart'; readonly chart: Chart; readonly text: string }

/** A Four Pillars chart. The card's text says the same, and more. */
export default function ChartCard({ output, language }: ToolCardProps) {
  if (!isChart(output)) return <CardText output={output} />
  const { chart, text } = output
  const texts = textsIn(language)
  const { dayMaster, elements, luck, warnings } = chart
  return (
    <section className="life-chart" aria-label={text}>
      <style href="life-chart" precedence="low">
        {css}
      </style>
      <header>
        <h3>
          <span className="life-sign" style={{ color: colors[dayMaster.element] }}>
            {dayMaster.stem}
          </span>
          {texts.dayMaster}: {dayMasterText(chart, language)}
        </h3>
        <p>
          {texts.born} {chart.clock.said.replace('T', ' ')} · {nameIn(language, chart.zodiac)}
          {language === 'zh' && ` · ${chart.lunarDate}`}
        </p>
      </header>
      <Pillars chart={chart} language={language} />
      <h4>{texts.elements}</h4>
      <dl className="life-elements">
        {Object.entries(elements.weights).map(([element, percent]) => (
          <div key={element}>
            <dt>{nameIn(language, element)}</dt>
            <dd>
              <i style={{ width: `${percent}%`, background: colors[element] }} />
            </dd>
            <dd>{Math.round(percent)}%</dd>
          </div>
        ))}
      </dl>
      <h4>{texts.luck}</h4>
      <LuckCycles cycles={luck.cycles} language={language} />
      {warnings.length > 0 && (
        <details>
          <summary>
            {texts.keepInMind} ({warnings.length})
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
