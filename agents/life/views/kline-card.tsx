import type { ToolCardProps } from '@dragoman/console/view'

import { CardText } from './card-text.tsx'
import css from './kline.css?inline'
import { textsIn } from './texts.ts'

type Point = { readonly year: number; readonly age: number; readonly pillar: string; readonly score: number }
type KlineOutput = {
  readonly cardType: 'bazi_kline'
  readonly points: readonly Point[]
  readonly text: string
}

const WIDTH = 640
const HEIGHT = 200
const MARGIN_LEFT = 34
const MARGIN_BOTTOM = 24
const SCORES = [0, 25, 50, 75, 100]
const MAX_YEAR_LABELS = 8

/** A line of years: those that support, and those that ask for effort. */
export default function KlineCard({ output, language }: ToolCardProps) {
  const texts = textsIn(language)
  if (!isKline(output)) return <CardText output={output} />
  const { points, text } = output
  const first = points[0]?.year ?? 0
  const span = Math.max(1, (points.at(-1)?.year ?? 0) - first)
  const x = (year: number): number => MARGIN_LEFT + ((year - first) / span) * (WIDTH - MARGIN_LEFT - 8)
  const y = (score: number): number => 8 + (1 - score / 100) * (HEIGHT - MARGIN_BOTTOM - 16)
  const year = new Date().getFullYear()
  const step = Math.ceil(points.length / MAX_YEAR_LABELS)
  return (
    <figure className="life-kline">
      <style href="life-kline" precedence="low">
        {css}
      </style>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
        {SCORES.map((score) => (
          <g key={score}>
            <line x1={MARGIN_LEFT} x2={WIDTH} y1={y(score)} y2={y(score)} className="life-grid" />
            <text x={MARGIN_LEFT - 6} y={y(score) + 4} textAnchor="end">
              {score}
            </text>
          </g>
        ))}
        {points
          .filter((_point, index) => index % step === 0)
          .map((point) => (
            <text key={point.year} x={x(point.year)} y={HEIGHT - 6} textAnchor="middle">
              {point.year}
            </text>
          ))}
        {year >= first && year <= first + span && (
          <g className="life-now">
            <line x1={x(year)} x2={x(year)} y1={y(100)} y2={y(0)} />
            <text x={x(year) + 4} y={y(100) + 10}>
              {texts.now}
            </text>
          </g>
        )}
        <polyline points={points.map((point) => `${x(point.year)},${y(point.score)}`).join(' ')} />
        {points.map((point) => (
          <circle key={point.year} cx={x(point.year)} cy={y(point.score)} r="3">
            <title>{`${point.year} ${point.pillar} ${point.score}`}</title>
          </circle>
        ))}
      </svg>
      <figcaption>{texts.scoreAxis}, 0–100</figcaption>
    </figure>
  )
}

function isKline(output: unknown): output is KlineOutput {
  return (
    typeof output === 'object' && output !== null && 'cardType' in output && output.cardType === 'bazi_kline'
  )
}
